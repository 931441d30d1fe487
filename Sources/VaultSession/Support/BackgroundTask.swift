import CLinux
import Synchronization

/// Work on another thread, while the event loop goes on.
///
/// Key derivation takes a second and cannot be interrupted. When the task that waits is cancelled it stops waiting at once,
/// and what the work comes to is dropped. What the work left on its thread's stack is overwritten.
final class BackgroundTask<Value: Sendable>: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Value, any Error>)
    case done(Result<Value, any Error>)
  }

  private let state = Mutex(State.running)

  /// Starts the work.
  init(_ work: @escaping @Sendable () throws -> Value) {
    Task.detached {
      let result = Result { try work() }
      linux_overwrite_stack()
      self.finish(result)
    }
  }

  /// The result of the work.
  ///
  /// - Throws: what the work throws, or `CancellationError`.
  var value: Value {
    get async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result: Result<Value, any Error>? = state.withLock { state in
            if case .done(let result) = state { return result }
            state = .awaited(continuation)
            return nil
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        finish(.failure(CancellationError()))
      }
    }
  }

  /// Stores the first result and resumes the waiting task.
  private func finish(_ result: Result<Value, any Error>) {
    let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .running:
        state = .done(result)
        return nil
      case .awaited(let continuation):
        state = .done(result)
        return continuation
      case .done: return nil
      }
    }
    waiting?.resume(with: result)
  }
}

/// Runs work on another thread, unless the task is cancelled already.
///
/// - Throws: what the work throws, or `CancellationError`.
public func elsewhere<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try Task.checkCancellation()
  return try await BackgroundTask(work).value
}

/// Runs work with lasting effects on another thread. Once it has started it is awaited to its end, even if the task is
/// cancelled, so that the answer says what was done.
///
/// - Throws: what the work throws; `CancellationError` where the task was cancelled before it began.
package func finishing<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try Task.checkCancellation()
  return try await Task.detached { try work() }.value
}
