import CLinux

extension VaultSession {
  /// Does a long piece of work on another thread, and passes on how far it has come, in percent, each time more than
  /// before. Where the task is cancelled or the vault locked meanwhile, the work is asked to stop, and answered all the same where it
  /// was at its end.
  ///
  /// - Parameter work: is given a function that notes how far it is, and that throws where it is to stop.
  /// - Throws: what the work throws; `CancellationError`; ``VaultError/locked``.
  package func working<Value: Sendable>(
    on vault: any VaultAccess, _ report: (Int) async -> Void,
    _ work: @escaping @Sendable (_ tell: @Sendable (Int) throws -> Void) async throws -> Value
  ) async throws -> Value {
    let (steps, progress) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task.detached {
      defer {
        linux_overwrite_stack()
        progress.finish()
      }
      return try await work { percentage in
        try Task.checkCancellation()
        progress.yield(percentage)
      }
    }
    return try await withTaskCancellationHandler {
      var told = 0
      for await percentage in steps {
        guard isOpen(vault) else { break }
        if percentage > told { await report(percentage) }
        told = max(told, percentage)
      }
      guard !isOpen(vault) else { return try await task.value }
      // What was done by then is done, and is answered.
      task.cancel()
      guard let value = try? await task.value else { throw VaultError.locked }
      return value
    } onCancel: {
      task.cancel()
    }
  }
}
