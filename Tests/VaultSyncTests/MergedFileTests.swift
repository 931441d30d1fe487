import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension MachineTests {
  /// A machine that synchronises merges a whole file, too.
  @Suite("Merged files of synchronised vaults")
  struct MergedFileTests {
    private let machines: Machines
    /// A copy of the vault that was made before it was synchronised.
    private let copy: TestVault

    init() async throws {
      let copy = try TestVault(inMemory: true)
      self.copy = copy
      machines = try await Machines(count: 2) { machine in
        try FileManager.default.copyItem(atPath: machine.vault.path, toPath: copy.path)
        copy.clock.setWall(by: machine.vault.clock.wall - copy.clock.wall)
      }
      try await machines[0].edit { _ = try $0.updateSettings([.autoLockSeconds: .seconds(99)]) }
      try await machines.settle()
    }

    private func mergeFile(_ path: String) async throws -> Merge {
      try await machines[0].edit { session in
        let merge = { isDryRun in
          try await session.merge(UserPath(path), password: nil, isDryRun: isDryRun) { _ in }
        }
        let trial = try await merge(true)
        #expect(try await merge(false) == trial)
        #expect(try await !merge(false).takesSettings, "it was merged before")
        return trial
      }
    }

    private func changeCopy(afterSeconds seconds: Int64) async throws {
      copy.clock.advance(seconds: seconds)
      let session = try await copy.unlock()
      _ = try session.updateSettings([.autoLockSeconds: .seconds(55)])
      session.lock(.request)
    }

    private func expectSettings(lock: Int, clipboard: Int? = nil) async throws {
      try await machines.settle()
      try await machines.expectSame()
      for machine in machines.all {
        let settings = try await machine.edit { try $0.settings() }
        #expect(settings.seconds(.autoLockSeconds) == lock)
        if let clipboard { #expect(settings.seconds(.clipboardClearSeconds) == clipboard) }
      }
    }

    @Test("S R14 the newer settings of a file that does not synchronise reach every machine")
    func newerSettings() async throws {
      try await changeCopy(afterSeconds: 3_600)
      #expect(try await mergeFile(copy.path).takesSettings)
      try await expectSettings(lock: 55)
    }

    @Test("S R14 the older settings of a file that does not synchronise do not count")
    func olderSettings() async throws {
      try await changeCopy(afterSeconds: 0)
      #expect(try await !mergeFile(copy.path).takesSettings)
      try await expectSettings(lock: 99)
    }

    @Test("S R14 the file of another machine adds its settings to those of this one")
    func otherMachine() async throws {
      try await machines[0].edit { _ = try $0.updateSettings([.autoLockSeconds: .seconds(55)]) }
      machines[1].vault.clock.advance(seconds: 60)
      try await machines[1].edit {
        _ = try $0.updateSettings([.clipboardClearSeconds: .seconds(66)])
      }
      #expect(try await mergeFile(machines[1].vault.path).takesSettings)
      let merged = try await machines[0].edit { try $0.settings() }
      #expect(merged.seconds(.autoLockSeconds) == 55 && merged.seconds(.clipboardClearSeconds) == 66)
      try await expectSettings(lock: 55, clipboard: 66)
    }
  }
}
