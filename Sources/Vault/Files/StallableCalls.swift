import Synchronization
import Wire

/// Calls on a file system that may stall, such as that of a server which is gone: one at a time, in order, on a thread of their own.
///
/// Whoever waits for a call can give up. The call goes on, and later calls wait for its end, so that what it does late never undoes
/// what they did. No key and no plaintext belongs in a call: its thread cannot be ended.
package final class StallableCalls: Sendable {
  /// A call did not end in time. It goes on.
  package struct Stall: Error {}

  private static let firstLimit = Duration.seconds(1)
  private static let stackSize = 256 << 10

  private struct Work {
    var calls: ArraySlice<@Sendable () -> Void> = []
    /// Whether a thread runs them.
    var isRunning = false
  }

  private let work = Mutex(Work())
  /// Is signalled for each call.
  private let arrival = Semaphore()
  private let knownLimit = Mutex(firstLimit)

  package init() {}

  /// How long those for whom others wait should wait for several calls in all. It follows the speed of the file system, so that work
  /// on a slow one is not given up each time.
  package var limit: Duration { knownLimit.withLock { $0 } }

  /// Notes that work was given up, or how long its calls took.
  package func noteWait(_ wait: Duration?) {
    knownLimit.withLock { limit in limit = wait.map { max(Self.firstLimit, $0 * 2) } ?? limit * 2 }
  }

  /// Runs a call, and blocks the thread until it ends.
  ///
  /// - Parameter limit: the longest wait; nil for no limit.
  /// - Throws: what the call throws; ``Stall``; `CancellationError` soon after the task is cancelled.
  package func run<Value: Sendable>(
    within limit: Duration?, _ call: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let result = ThreadResult<Value>()
    enqueue { result.set(Result { try call() }) }
    let start = ContinuousClock.now
    while true {
      if let result = result.wait(milliseconds: 10) { return try result.get() }
      try Task.checkCancellation()
      if let limit, start.duration(to: .now) >= limit { throw Stall() }
    }
  }

  /// Runs a call.
  ///
  /// - Throws: what the call throws; `CancellationError` at once if the task is cancelled.
  package func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    // Unlike a continuation, a stream ends when the task that waits for it is cancelled.
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    enqueue { continuation.yield(Result { try call() }) }
    for await result in results { return try result.get() }
    throw CancellationError()
  }

  /// Appends a call, and starts a thread if there is none. If the system has no room for one, this thread does the work.
  private func enqueue(_ call: @escaping @Sendable () -> Void) {
    let isRunning = work.withLock { work in
      defer { work.isRunning = true }
      work.calls.append(call)
      return work.isRunning
    }
    arrival.signal()
    if !isRunning {
      do { try Thread.start(stackSize: Self.stackSize) { [self] in runAll() } } catch { runAll() }
    }
  }

  /// Runs the calls until none has come for a moment.
  private func runAll() {
    repeat {
      while let call = work.withLock({ $0.calls.popFirst() }) { call() }
    } while arrival.wait(milliseconds: 10) || !endIfIdle()
  }

  /// - Returns: whether there was no call.
  private func endIfIdle() -> Bool {
    work.withLock { work in
      if work.calls.isEmpty { work.isRunning = false }
      return work.calls.isEmpty
    }
  }
}
