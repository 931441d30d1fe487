import SessionSupport
import Testing

@testable import Vault

extension MachineTests {
  /// What others do to a vault between two transactions of a synchronisation.
  @Suite("Sync lets others change the vault")
  struct PauseTests {
    /// Two machines, of which the first has published large cards, about four of which a segment holds.
    private func machines(cards: Int) async throws -> Machines {
      let machines = try await Machines(count: 2)
      let text = String(repeating: "长", count: 90_000)
      try await machines[0].edit { session async throws in
        for number in 0..<cards { try session.note("card \(number)", text: text) }
        try await session.synchronize()
      }
      try machines.carry()
      return machines
    }

    @Test("S while many segments are applied, others change the vault between them, and nothing is lost")
    func pauses() async throws {
      let machines = try await machines(cards: 16)
      var pauses = 0
      try await machines[1].edit { session async throws in
        try await session.synchronize(pause: { _ in
          try session.note("meanwhile \(pauses)")
          pauses += 1
        })
      }
      #expect(pauses >= 2)
      try await machines.settle()
      #expect(try await machines[0].titles().count == 16 + pauses)
      try await machines.expectSame()
    }

    @Test("S turning synchronisation on leaves alone what others turned on meanwhile")
    func enabledElsewhere() async throws {
      let machines = try await machines(cards: 1)
      let other = machines[1].folder + "-other"
      try await machines[1].edit { session async throws in
        try session.disableSync()
        await #expect(throws: CancellationError.self) {
          _ = try await session.enableSync(
            UserPath(machines[1].folder), machine: "first",
            pause: { _ in
              try session.disableSync()
              _ = try await session.enableSync(UserPath(other), machine: "second")
            })
        }
        #expect(try session.syncStatus().folder == other)
      }
    }

    @Test("S a vault that is led elsewhere meanwhile, or locked, is left alone")
    func ends() async throws {
      let machines = try await machines(cards: 1)
      try await machines[1].edit { session async throws in
        await #expect(throws: SyncError.notEnabled) {
          try await session.synchronize(pause: { _ in try session.disableSync() })
        }
        _ = try await session.enableSync(UserPath(machines[1].folder), machine: "again")
      }
      try await machines[0].edit { session async throws in
        try session.note("another")
        try await session.synchronize()
      }
      try machines.carry()
      try await machines[1].edit { session async throws in
        await #expect(throws: CancellationError.self) {
          try await session.synchronize(pause: { _ in
            try await session.rekey(from: TestVault.password, to: "another password")
          })
        }
      }
      machines[1].password.value = "another password"
      try machines.carry()
      try await machines[0].rejoin(password: "another password")
      try await machines.settle()
      try await machines.expectSame()
    }
  }
}
