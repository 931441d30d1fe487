import SessionSupport
import Testing

@testable import VaultMaintenance
@testable import VaultSession

extension SessionTests {
  @Suite("Long work on another thread")
  struct WorkingTests {
    /// Begins work that never ends by itself, and has it stopped when it first tells how far it is.
    private func failure(
      _ owner: SessionOwner, stop: @escaping @Sendable () async -> Void
    ) async -> (any Error)? {
      let task = Task {
        try await owner.working({ _ in await stop() }) { tell in
          while true {
            try tell(1)
            await Task.yield()
          }
        }
      }
      guard case .failure(let error) = await task.result else { return nil }
      return error
    }

    @Test("R12 R17 a lock and a cancellation stop it, however long it would go on")
    func stopped() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let cancelled = await failure(owner) { withUnsafeCurrentTask { $0?.cancel() } }
      #expect(cancelled is CancellationError)
      #expect(await !owner.isLocked)
      #expect(await failure(owner) { await owner.lock() } as? VaultError == .locked)
    }

    @Test("R12 work that was at its end before it noticed is answered")
    func ended() async throws {
      let vault = try TestVault()
      try await vault.create().lock(.request)
      let owner = try await SessionOwner.unlocked(vault)
      let value = try await owner.working({ _ in await owner.lock() }) { tell in
        try tell(1)
        return 1
      }
      #expect(value == 1)
      #expect(await owner.isLocked)
    }
  }
}
