import Foundation
import SessionSupport
import TestSamples
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("What a cloud client has not fetched, and names of machines")
  struct PlaceholderTests {
    private static func placeholder(of name: String, _ ending: String) -> String {
      ending == ".icloud" ? ".\(name).icloud" : name + ending
    }

    /// Replaces the files in a directory by placeholders.
    private func replace(_ part: String, _ ending: String, in machine: Machine, _ machines: Machines) throws {
      for file in try machines.files(of: machine) where file.contains(part) {
        let url = URL(filePath: "\(machine.folder)/\(file)")
        let other = url.deletingLastPathComponent().appending(
          path: Self.placeholder(of: url.lastPathComponent, ending))
        try FileManager.default.moveItem(at: url, to: other)
      }
    }

    @Test(
      "S placeholders instead of files are named for what they are",
      arguments: [".nextcloud", ".owncloud", ".icloud"])
    func placeholders(_ ending: String) async throws {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { session in
        try session.note("card")
        try await session.synchronize()
      }
      let new = try Machine("new", in: machines.directory)
      for file in try machines.files(of: machines[0]) {
        try machines.copy(file, from: machines[0], to: [new])
      }
      try replace("/changes/", ending, in: new, machines)
      let session = new.vault.session()
      let status = try await session.joinSync(
        UserPath(new.folder), password: TestVault.password, machine: "new")
      #expect(status.others.map(\.problem) == [.placeholder(1)])
      session.lock(.request)

      let late = try Machine("late", in: machines.directory)
      for file in try machines.files(of: machines[0]) {
        try machines.copy(file, from: machines[0], to: [late])
      }
      try replace("/", ending, in: late, machines)
      await #expect(throws: SyncError.onlyPlaceholders) {
        try await late.vault.session().joinSync(
          UserPath(late.folder), password: TestVault.password, machine: "late")
      }
    }

    @Test("S a name of a machine that is too long for a segment ends with a whole character")
    func longName() async throws {
      let directory = try TemporaryDirectory()
      let (one, other) = (try Machine("one", in: directory), try Machine("other", in: directory))
      try await one.vault.create().lock(.request)
      let name = "a" + String(repeating: "机", count: 99)
      let expected = "a" + String(repeating: "机", count: 84)
      let status = try await one.edit { try await $0.enableSync(UserPath(one.folder), machine: name) }
      #expect(status.machine == expected)
      let session = other.vault.session()
      let joined = try await session.joinSync(
        UserPath(one.folder), password: TestVault.password, machine: name)
      #expect(joined.others.map(\.machine) == [expected])
      #expect(joined.others.compactMap(\.problem) == [])
      session.lock(.request)
    }
  }
}
