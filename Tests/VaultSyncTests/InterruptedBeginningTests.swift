import Foundation
import SessionSupport
import TestSupport
import Testing
import VaultInterface

@testable import Vault

extension MachineTests {
  @Suite("Synchronisation that is interrupted when it begins")
  struct InterruptedBeginningTests {
    @Test("S a machine publishes nothing, its password neither, before it has applied what others published")
    func applying() async throws {
      let new = try TestVault(inMemory: true)
      let machines = try await Machines(count: 1) { machine in
        try FileManager.default.copyItem(atPath: machine.vault.path, toPath: new.path)
      }
      try await machines[0].edit { _ = try $0.note("card") }
      try await machines[0].synchronize()
      let before = try machines.files(of: machines[0])
      let session = try await new.unlock()
      await #expect(throws: Interrupted.self) {
        _ = try await session.enableSync(UserPath(machines[0].folder), machine: "new") { _ in
        } pause: { _ in
          #expect(try machines.files(of: machines[0]) == before, "as a process that is killed leaves it")
          throw Interrupted()
        }
      }
      #expect(try machines.files(of: machines[0]) == before)
      #expect(try session.allCards(limit: 50).map(\.title) == ["card"])
    }

    private struct Interrupted: Error {}

    @Test("S a machine that cannot begin leaves nothing in the folder, and can begin again")
    func enabling() async throws {
      let directory = try TemporaryDirectory()
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      let folder = try UserPath(directory.appending("folder"))
      let reader = try session.unlocked().reader
      let epoch = try "\(folder.path)/\(reader.vault)/\(reader.epoch)"
      try FileManager.default.createDirectory(atPath: epoch, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(epoch)/changes"))
      await #expect(throws: (any Error).self) { _ = try await session.enableSync(folder, machine: "first") }
      #expect(!FileManager.default.fileExists(atPath: "\(epoch)/keys"))
      try FileManager.default.removeItem(atPath: folder.path)
      _ = try await session.enableSync(folder, machine: "first")
      #expect(FileManager.default.fileExists(atPath: "\(epoch)/keys"))
    }
  }
}
