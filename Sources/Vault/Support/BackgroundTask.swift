import CLinux

/// How work in the background ends when its task is cancelled.
public enum CancellationPolicy: Sendable {
  /// The task does not wait for the work any more, and drops its result: key derivation takes a second, whatever happens.
  case abandon
  /// The work is cancelled too, and the task waits for it: its result says what was done.
  case wait
}

/// Runs work on another thread, unless the task is cancelled already.
///
/// - Throws: what the work throws, or `CancellationError`.
public func runInBackground<Value: Sendable>(
  whenCancelled policy: CancellationPolicy = .abandon, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try Task.checkCancellation()
  return try await BackgroundTask(work).value(whenCancelled: policy)
}

/// Work on another thread, while the event loop runs. That thread's stack is overwritten afterwards.
struct BackgroundTask<Value: Sendable>: Sendable {
  private let task: Task<Value, any Error>

  /// Starts the work.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    task = Task.detached {
      defer { linux_overwrite_stack() }
      return try await work()
    }
  }

  func cancel() {
    task.cancel()
  }

  /// Waits for the result.
  ///
  /// - Throws: what the work throws, or `CancellationError`.
  func value(whenCancelled policy: CancellationPolicy) async throws -> Value {
    switch policy {
    case .wait:
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        cancel()
      }
    case .abandon:
      // Unlike a task's value, a stream ends when the task that waits for it is cancelled.
      let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
      Task.detached { continuation.yield(await task.result) }
      for await result in results { return try result.get() }
      throw CancellationError()
    }
  }
}
