import Dispatch
import SessionSupport
import TestSupport
import Testing

@testable import Vault

extension MachineTests {
  /// What others do while the folder does not answer.
  @Suite("Sync over a folder that stalls")
  struct StalledFolderTests {
    /// Lets the folder stall until the semaphore is signalled.
    private func stall(_ session: VaultSession, until end: DispatchSemaphore = .init(value: 0)) throws
      -> DispatchSemaphore
    {
      let calls = try session.syncFolder().folder.calls.thread
      #expect(throws: StallableCalls.Stall.self) { try calls.run(within: .zero) { end.wait() } }
      return end
    }

    @Test("S others change the vault while the folder does not answer, and all is published when it does")
    func pauses() async throws {
      let machines = try await Machines(count: 2)
      try await machines[0].edit { session async throws in
        try session.note("before")
        let end = try stall(session)
        var isFirst = true
        try await session.synchronize(pause: { reason in
          guard case .folderStalled = reason else { return }
          if isFirst { try session.note("meanwhile") }
          isFirst = false
          end.signal()
          try await session.awaitSyncFolder()
        })
        #expect(!isFirst)
      }
      try machines.carry()
      try await machines[1].synchronize()
      #expect(try await machines[1].titles() == ["before", "meanwhile"])
      try await machines.settle()
      try await machines.expectSame()
    }

    @Test("S a vault that is locked while the folder does not answer is left alone")
    func lock() async throws {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { session async throws in
        let end = try stall(session)
        await #expect(throws: VaultError.locked) {
          try await session.synchronize(pause: { _ in session.lock(.request) })
        }
        end.signal()
      }
      try await machines[0].synchronize()
    }

    @Test("S a synchronisation that lets nobody go before can be cancelled while the folder does not answer")
    func cancellation() async throws {
      let (began, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let task = Task {
        try await Machines(count: 1)[0].edit { session async throws in
          _ = try stall(session, until: end)
          began.signal()
          try await session.synchronize()
        }
      }
      try await waitUntil({ began.wait(timeout: .now()) == .success }, then: { task.cancel() })
      await #expect(throws: CancellationError.self) { try await task.value }
      end.signal()
    }
  }
}
