import SessionSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Long work in the background")
  struct BackgroundWorkTests {
    /// Begins work that never ends by itself, and has it stopped at its first progress report.
    private func failure(
      _ owner: SessionOwner, stop: @escaping @Sendable () async -> Void
    ) async -> (any Error)? {
      let task = Task {
        try await owner.runLongWork({ _ in await stop() }) { note in
          while true {
            try note(1)
            await Task.yield()
          }
        }
      }
      guard case .failure(let error) = await task.result else { return nil }
      return error
    }

    @Test("R12 R17 a lock and a cancellation stop the work, however long it would take")
    func stopped() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let cancelled = await failure(owner) { withUnsafeCurrentTask { $0?.cancel() } }
      #expect(cancelled is CancellationError)
      #expect(await !owner.isLocked)
      #expect(await failure(owner) { await owner.lock() } as? VaultError == .locked)
    }

    @Test("R12 work that ended before it noticed the lock is answered")
    func ended() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let value = try await owner.runLongWork({ _ in await owner.lock() }) { note in
        try note(1)
        return 1
      }
      #expect(value == 1)
      #expect(await owner.isLocked)
    }
  }
}
