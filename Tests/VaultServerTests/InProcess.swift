import Foundation
import Glibc
import Service
import Synchronization
import TestSupport
import Vault
import Wire

/// Clocks that a test advances, and timers that follow them.
final class ControlledTime: Clock {
  private struct State {
    var wall: Int64 = 1_795_243_812_345
    var boot: Int64 = 1_000_000
    var timers: [ObjectIdentifier: ControlledTimer] = [:]
  }

  private let state = Mutex(State())

  var wall: Int64 { state.withLock { $0.wall } }
  var boot: Int64 { state.withLock { $0.boot } }
  var bootIdentifier: String { "6d0c5b5a-3f0e-4c55-9f0e-1f2a3b4c5d6e" }

  /// Makes timers that fire when ``advance(_:)`` reaches their time.
  @Sendable func makeTimer(
    _ loop: EventLoop, _ action: @escaping @Sendable () -> Void
  ) throws -> any EventLoop.Timer {
    let timer = ControlledTimer(self, loop, action)
    state.withLock { $0.timers[ObjectIdentifier(timer)] = timer }
    return timer
  }

  /// Advances both clocks, and fires the timers that are due: the earliest first, and none that an earlier one cancelled.
  ///
  /// The loop of a vault that locks may be gone before a later timer could fire.
  func advance(_ milliseconds: Int64) throws {
    let (timers, now) = state.withLock { state in
      state.wall += milliseconds
      state.boot += milliseconds
      return (state.timers.values.filter { $0.isDue(at: state.boot) }, state.boot)
    }
    for timer in timers.sorted(by: { $0.dueTime < $1.dueTime }) where timer.isDue(at: now) {
      try timer.goOff()
    }
  }

  /// Advances both clocks, and fires no timer: those of loops that have ended never would.
  func skip(_ milliseconds: Int64) {
    state.withLock { state in
      state.wall += milliseconds
      state.boot += milliseconds
    }
  }

  /// Returns whether a timer is set that is due within a time, in milliseconds.
  func hasTimer(dueWithin milliseconds: Int64) -> Bool {
    state.withLock { state in state.timers.values.contains { $0.isDue(at: state.boot + milliseconds) } }
  }

  /// Waits until a timer is set that is due within a time, in milliseconds.
  func waitForTimer(dueWithin milliseconds: Int64, by deadline: Deadline = .usual) throws {
    while !hasTimer(dueWithin: milliseconds) {
      guard deadline.milliseconds > 0 else { throw Failure("no timer is set") }
      sched_yield()
    }
  }

  /// Sets the wall clock alone.
  func setWall(by milliseconds: Int64) {
    state.withLock { $0.wall += milliseconds }
  }
}

/// A timer of ``ControlledTime``.
final class ControlledTimer: EventLoop.Timer {
  private let time: ControlledTime
  private let loop: OnLoop
  private let action: @Sendable () -> Void
  private let due = Mutex<Int64?>(nil)

  init(_ time: ControlledTime, _ loop: EventLoop, _ action: @escaping @Sendable () -> Void) {
    self.time = time
    self.loop = OnLoop(loop)
    self.action = action
  }

  func set(after span: Duration) {
    let (seconds, attoseconds) = span.components
    let boot = time.boot
    due.withLock { $0 = boot + seconds * 1_000 + attoseconds / 1_000_000_000_000_000 }
  }

  func cancel() {
    due.withLock { $0 = nil }
  }

  /// The time at which the timer fires; never, if it is not set.
  var dueTime: Int64 { due.withLock { $0 ?? .max } }

  func isDue(at boot: Int64) -> Bool {
    dueTime <= boot
  }

  /// Calls the timer's action on its loop's thread, and waits for it.
  func goOff() throws {
    due.withLock { $0 = nil }
    let isDone = DispatchSemaphore(value: 0)
    Task { [loop, action] in
      await loop.run(action)
      isDone.signal()
    }
    guard isDone.wait(timeout: Deadline.usual.dispatchTime) == .success else {
      throw Failure("the server's loop stands still")
    }
  }
}

/// The thread of a loop, as an actor.
private actor OnLoop {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  func run(_ action: @Sendable () -> Void) {
    action()
  }
}

/// A server on its own thread, over pipes. After a hand-off a new server continues from the encoded state, as the
/// program does by replacing itself.
final class InProcessServer: ReplayTarget {
  let channel: Channel
  private let end = End()

  private final class End: Sendable {
    let isThere = DispatchSemaphore(value: 0)
    let result = Mutex<(status: Int32, message: String)?>(nil)
  }

  init(_ configuration: Server.Configuration, framing: TestSupport.Framing) throws {
    let (input, output) = (try makePipe(), try makePipe())
    channel = Channel(input: input.writing, output: output.reading, framing: framing)
    Thread { [end] in
      let result = Self.serve(configuration, input: input.reading, output: output.writing)
      end.result.withLock { $0 = result }
      close(input.reading)
      close(output.writing)
      end.isThere.signal()
    }.start()
  }

  private static func serve(
    _ configuration: Server.Configuration, input: Int32, output: Int32
  ) -> (status: Int32, message: String) {
    var handoffState = HandoffState()
    while true {
      do {
        let server = try Server(
          configuration, .pipes(input: input, output: output), resuming: handoffState)
        switch server.run() {
        case .ended(let status, let message): return (status, message ?? "")
        case .handedOff(let next):
          guard let decoded = HandoffState(decoding: next.encoded) else {
            return (71, "the handoffState cannot be read")
          }
          handoffState = decoded
        }
      } catch {
        return (71, "\(error)")
      }
    }
  }

  func waitForExit() throws -> (status: Int32, message: String) {
    guard end.isThere.wait(timeout: Deadline.usual.dispatchTime) == .success else {
      throw Failure("the server does not end")
    }
    guard let result = end.result.withLock({ $0 }) else { throw Failure("the server left no result") }
    return result
  }
}
