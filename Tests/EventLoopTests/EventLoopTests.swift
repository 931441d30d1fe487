import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Wire

/// The loop and its timers.
@Suite(.timeLimit(.minutes(15))) struct EventLoopTests {
  /// An actor that lives on a loop.
  private actor Counter {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let loop: EventLoop
    private(set) var count = 0
    private var timers: [LoopTimer] = []

    init(loop: EventLoop) { self.loop = loop }

    func add() -> Bool {
      count += 1
      return loop.isIsolatingCurrentContext() == true
    }

    /// Does something on the loop's thread.
    func run(_ body: @Sendable () -> Void) { body() }

    /// Sets a timer to one span after another; when it fires, the event happens.
    func startTimer(for event: Event<Void>, after spans: Duration..., isCancelled: Bool = false) throws {
      let timer = try LoopTimer(on: loop) { event.happen() }
      for span in spans { timer.set(after: span) }
      if isCancelled { timer.cancel() }
      timers.append(timer)
    }

    /// Releases every timer on the loop's thread, as is required.
    func releaseTimers() { timers = [] }
  }

  /// Runs a loop on a thread of its own while a test uses it.
  private static func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    let end = Event<Void>("end of the loop")
    Thread.detachNewThread {
      loop.run()
      end.happen()
    }
    do { try await body(loop) } catch { Issue.record(error) }
    loop.stop()
    try await end.value()
  }

  /// Only the address sanitizer shows a failure.
  @Test("A loop may be released as soon as it has run what another thread queued")
  func released() async throws {
    for _ in 0..<500 {
      try await onThread {
        let loop = try EventLoop()
        let counter = Counter(loop: loop)
        Task {
          _ = await counter.add()
          loop.stop()
        }
        loop.run()
      }
    }
  }

  /// What was called, in order.
  private final class Log: Sendable {
    let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  @Test("What waits until the loop is idle is called one a turn, after all else")
  func oneAfterAnother() async throws {
    try await onThread {
      let loop = try EventLoop()
      let log = Log()
      loop.whenIdle {
        log.add("first")
        loop.postpone { log.add("postponed") }
      }
      loop.whenIdle { log.add("second") }
      loop.whenIdle { loop.stop() }
      loop.run()
      #expect(log.names.withLock { $0 } == ["first", "postponed", "second"])
    }
  }

  @Test("Jobs from many tasks run on the loop's thread, one at a time")
  func jobs() async throws {
    try await Self.withLoop { loop in
      let counter = Counter(loop: loop)
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<1_000 { if await !counter.add() { Issue.record("on another thread") } }
          }
        }
      }
      #expect(await counter.count == 8_000)
      #expect(loop.isIsolatingCurrentContext() == false)
    }
  }

  @Test("Jobs queued before the loop runs are run, and a stop before it makes run return")
  func beforeRunning() async throws {
    let loop = try EventLoop()
    let counter = Counter(loop: loop)
    let task = Task { await counter.add() }
    let end = Event<Void>("end of the loop")
    Thread.detachNewThread {
      loop.run()
      end.happen()
    }
    #expect(await task.value)
    loop.stop()
    try await end.value()
    loop.run()
  }

  @Test("A descriptor is watched until it is unwatched, and the closing of the other end is reported")
  func watching() async throws {
    try await Self.withLoop { (loop) async throws -> Void in
      let (reading, writing) = try makePipe()
      let counter = Counter(loop: loop)
      let readable = Event<Int>("first byte")
      let closed = Event<Int>("end of the pipe")
      await counter.run {
        loop.watch(reading, for: .reading) {
          var bytes = [UInt8](repeating: 0, count: 10)
          let count = read(reading, &bytes, bytes.count)
          count > 0 ? readable.happen(count) : closed.happen(count)
          if count == 0 { loop.unwatch(reading) }
        }
        loop.unwatch(-1)
      }
      #expect(write(writing, "abc", 3) == 3)
      #expect(try await readable.value() == 3)
      close(writing)
      #expect(try await closed.value() == 0)
      close(reading)
    }
  }

  @Test("A socket is watched for reading while it is, and is no longer, watched for writing")
  func bothDirections() async throws {
    try await Self.withLoop { (loop) async throws -> Void in
      var sockets: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
      let (near, far) = (sockets[0], sockets[1])
      let (readable, writable) = (Event<Void>("bytes"), Event<Void>("room"))
      let counter = Counter(loop: loop)
      await counter.run {
        loop.watch(near, for: .reading) {
          readable.happen()
          loop.unwatch(near)
        }
        loop.watch(near, for: .writing) {
          writable.happen()
          loop.unwatch(near, for: .writing)
        }
      }
      try await writable.value()
      #expect(!readable.hasHappened)
      #expect(write(far, "abc", 3) == 3)
      try await readable.value()
      close(near)
      close(far)
    }
  }

  @Test("A hang-up is reported while bytes are left to read, and nothing else is")
  func hangingUp() async throws {
    try await Self.withLoop { (loop) async throws -> Void in
      let (reading, writing) = try makePipe()
      let counter = Counter(loop: loop)
      let hungUp = Event<Void>("hang-up")
      await counter.run {
        loop.watch(reading, for: .hangingUp) {
          hungUp.happen()
          loop.unwatch(reading)
        }
      }
      #expect(write(writing, "abc", 3) == 3)
      let later = Event<Void>("a later timer")
      try await counter.startTimer(for: later, after: .milliseconds(20))
      try await later.value()
      #expect(!hungUp.hasHappened)
      close(writing)
      try await hungUp.value()
      await counter.releaseTimers()
      close(reading)
    }
  }

  @Test("Work that an idle action postpones is done before the loop waits")
  func postponed() async throws {
    let loop = try EventLoop()
    let done = Event<Void>("the postponed action")
    loop.onIdle { if !done.hasHappened { loop.postpone { done.happen() } } }
    Thread.detachNewThread { loop.run() }
    try await done.value()
    loop.stop()
  }

  @Test("Idle actions are called before the loop waits")
  func idle() async throws {
    let loop = try EventLoop()
    let idle = Event<Void>("idle")
    loop.onIdle { idle.happen() }
    Thread.detachNewThread { loop.run() }
    try await idle.value()
    loop.stop()
  }

  @Test("A timer fires after the span that it was last set to")
  func timer() async throws {
    try await Self.withLoop { loop in
      let counter = Counter(loop: loop)
      for span in [Duration.zero, .seconds(-5), .nanoseconds(1), .milliseconds(2), .seconds(Int64.min)] {
        let fired = Event<Void>("timer after \(span)")
        try await counter.startTimer(for: fired, after: .seconds(3_600), span)
        try await fired.value()
      }
      await counter.releaseTimers()
    }
  }

  @Test("A timer that is cancelled, set far ahead or released does not fire")
  func silentTimer() async throws {
    try await Self.withLoop { loop in
      let counter = Counter(loop: loop)
      let wrong = Event<Void>("a timer that must not fire")
      await counter.run {
        // On the loop's thread, so that it cannot fire in between.
        guard let timer = try? LoopTimer(on: loop, { wrong.happen() }) else { return wrong.happen() }
        timer.set(after: .zero)
      }
      try await counter.startTimer(for: wrong, after: .zero, isCancelled: true)
      try await counter.startTimer(for: wrong, after: .zero, .seconds(Int64.max))
      let later = Event<Void>("a later timer")
      try await counter.startTimer(for: later, after: .milliseconds(20))
      try await later.value()
      #expect(!wrong.hasHappened)
      await counter.releaseTimers()
    }
  }
}
