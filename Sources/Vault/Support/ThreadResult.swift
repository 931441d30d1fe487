import Glibc
import Synchronization

/// What work on one thread results in, for another thread that waits for it without returning to the event loop.
final class ThreadResult<Value: Sendable>: Sendable {
  /// How often the waiting thread yields before it sleeps: waking up takes longer than most of these waits.
  private static var yieldLimit: Int { 200 }

  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let end = Semaphore()

  /// Sets the result, once.
  func set(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    end.signal()
  }

  /// The result; nil if the work goes on.
  var current: Result<Value, any Error>? { result.withLock { $0 } }

  /// Waits for the result for a few milliseconds, less than a second.
  ///
  /// - Returns: nil if the work goes on.
  func wait(milliseconds: Int) -> Result<Value, any Error>? {
    for _ in 0..<Self.yieldLimit {
      if let current { return current }
      sched_yield()
    }
    _ = end.wait(milliseconds: milliseconds)
    return current
  }
}
