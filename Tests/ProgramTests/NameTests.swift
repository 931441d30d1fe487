import Foundation
import TestSupport
import Testing

/// A vault under several names.
@Suite("Names of a vault") struct NameTests {
  /// Ways to give a file another name.
  enum Way: CaseIterable {
    case hardLink, mount, symbolicLink
  }

  @Test(
    "R14 a vault that is open under another name is not opened, and no change is lost",
    arguments: Way.allCases)
  func names(way: Way) async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let (vault, other) = (directory.appending("vault"), directory.appending("other/vault"))
      try FileManager.default.createDirectory(
        atPath: directory.appending("other"), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      let first = try ProgramClient(vault: vault)
      try first.createVault()
      switch way {
      case .hardLink: try FileManager.default.linkItem(atPath: vault, toPath: other)
      case .symbolicLink:
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: vault)
      case .mount:
        try Data().write(to: URL(filePath: other))
        guard try run("/bin/mount", ["--bind", vault, other]).status == 0 else { return }
      }
      defer { if way == .mount { _ = try? run("/bin/umount", [other]) } }
      try first.createNote("one")
      let second = try ProgramClient(vault: other)
      let unlock = #"{"password":"\#(ProgramClient.password)"}"#
      if way == .symbolicLink {
        try second.unlock()
        try second.createNote("two")
        try second.call("session/lock")
      } else {
        let answer = try second.answer("session/unlock", unlock)
        try expect(answer.contains(#""kind":"vault.unavailable""#) && answer.contains(#""busy""#), answer)
        try expect(answer.contains("\(first.program.process)"), "it names the process: \(answer)")
        try first.createNote("two")
      }
      try first.call("session/lock")
      try second.unlock()
      try expect(try second.call("card/list")["total"] as? Int == 2, "all changes are there")
      try second.createNote("three")
      try second.call("session/lock")
      try first.unlock()
      try expect(try first.call("card/list")["total"] as? Int == 3, "all changes are there")
    }
  }
}
