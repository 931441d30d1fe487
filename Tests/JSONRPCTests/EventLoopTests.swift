import EventLoop
import Foundation
import Synchronization
import func TestSupport.makePipe
import Testing

@testable import JSONRPC

/// The loop and its alarms.
@Suite(.timeLimit(.minutes(15))) struct EventLoopTests {
  /// An actor that lives on a loop.
  private actor Counter {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let loop: EventLoop
    private(set) var count = 0
    private var alarms: [LoopTimer] = []

    init(loop: EventLoop) { self.loop = loop }

    func add() -> Bool {
      count += 1
      return loop.isIsolatingCurrentContext() == true
    }

    /// Does something on the loop's thread.
    func run(_ body: @Sendable () -> Void) { body() }

    /// Sets an alarm to one span after another; it makes an event come.
    func setAlarm(for event: Event<Void>, after spans: Duration..., isCancelled: Bool = false) throws {
      let alarm = try LoopTimer(on: loop) { event.come() }
      for span in spans { alarm.set(after: span) }
      if isCancelled { alarm.cancel() }
      alarms.append(alarm)
    }

    /// Lets go of every alarm, on the loop's thread as it must be.
    func dropAlarms() { alarms = [] }
  }

  /// Runs a loop on a thread of its own while a test uses it.
  private static func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    let end = Event<Void>("end of the loop")
    Thread.detachNewThread {
      loop.run()
      end.come()
    }
    do { try await body(loop) } catch { Issue.record(error) }
    loop.stop()
    try await end.value()
  }

  @Test("Loop: jobs from many tasks run on its thread, one at a time")
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

  @Test("Loop: jobs that came before it ran are run, and stop before run makes it return")
  func beforeRunning() async throws {
    let loop = try EventLoop()
    let counter = Counter(loop: loop)
    let task = Task { await counter.add() }
    let end = Event<Void>("end of the loop")
    Thread.detachNewThread {
      loop.run()
      end.come()
    }
    #expect(await task.value)
    loop.stop()
    try await end.value()
    loop.run()
  }

  @Test("Loop: a descriptor is watched until it is not, and the other end's closing is told")
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
          count > 0 ? readable.come(count) : closed.come(count)
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

  @Test("Loop: a hang-up is told while there is something left to be read, and nothing else is")
  func hangingUp() async throws {
    try await Self.withLoop { (loop) async throws -> Void in
      let (reading, writing) = try makePipe()
      let counter = Counter(loop: loop)
      let hungUp = Event<Void>("hang-up")
      await counter.run {
        loop.watch(reading, for: .hangingUp) {
          hungUp.come()
          loop.unwatch(reading)
        }
      }
      #expect(write(writing, "abc", 3) == 3)
      let later = Event<Void>("a later alarm")
      try await counter.setAlarm(for: later, after: .milliseconds(20))
      try await later.value()
      #expect(!hungUp.hasCome)
      close(writing)
      try await hungUp.value()
      await counter.dropAlarms()
      close(reading)
    }
  }

  @Test("Loop: before it waits it calls what asked for that")
  func idle() async throws {
    let loop = try EventLoop()
    let idle = Event<Void>("idle")
    loop.onIdle { idle.come() }
    Thread.detachNewThread { loop.run() }
    try await idle.value()
    loop.stop()
  }

  @Test("LoopTimer: it rings after the span that it was last set to")
  func alarm() async throws {
    try await Self.withLoop { loop in
      let counter = Counter(loop: loop)
      for span in [Duration.zero, .seconds(-5), .nanoseconds(1), .milliseconds(2), .seconds(Int64.min)] {
        let ring = Event<Void>("alarm after \(span)")
        try await counter.setAlarm(for: ring, after: .seconds(3_600), span)
        try await ring.value()
      }
      await counter.dropAlarms()
    }
  }

  @Test("LoopTimer: cancelled, set far ahead or gone, it does not ring")
  func silentAlarm() async throws {
    try await Self.withLoop { loop in
      let counter = Counter(loop: loop)
      let wrong = Event<Void>("an alarm that must not ring")
      await counter.run {
        // On the loop's thread, so that it cannot ring in between.
        guard let alarm = try? LoopTimer(on: loop, { wrong.come() }) else { return wrong.come() }
        alarm.set(after: .zero)
      }
      try await counter.setAlarm(for: wrong, after: .zero, isCancelled: true)
      try await counter.setAlarm(for: wrong, after: .zero, .seconds(Int64.max))
      let later = Event<Void>("a later alarm")
      try await counter.setAlarm(for: later, after: .milliseconds(20))
      try await later.value()
      #expect(!wrong.hasCome)
      await counter.dropAlarms()
    }
  }
}
