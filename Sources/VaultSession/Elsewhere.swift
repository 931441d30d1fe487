import Synchronization

/// Does a piece of work on another thread, so that the conversation goes on meanwhile.
///
/// Key derivation takes a second and cannot be interrupted. When the task is cancelled this returns at once, and what
/// the work comes to is dropped.
///
/// - Throws: what the work throws, or `CancellationError`.
func elsewhere<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  let waiting = Mutex<CheckedContinuation<Value, any Error>?>(nil)
  let answer: @Sendable (Result<Value, any Error>) -> Void = { result in
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(with: result)
  }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      waiting.withLock { $0 = continuation }
      if Task.isCancelled { return answer(.failure(CancellationError())) }
      Task.detached { answer(Result { try work() }) }
    }
  } onCancel: {
    answer(.failure(CancellationError()))
  }
}
