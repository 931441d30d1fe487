import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("The merged copy")
  struct MergedCopyTests {
    private let mine: Replica
    private let other: Replica

    init() async throws {
      mine = try Replica()
      let session = try await mine.vault.create()
      for number in 0..<40 { try session.note("note \(number)", text: String(repeating: "x", count: 400)) }
      session.lock(.request)
      other = try mine.forked()
      try await other.edit { try $0.note("new") }
    }

    private func refusal(_ path: String) async throws -> VaultError? {
      let session = try await mine.vault.unlock()
      defer { session.lock(.request) }
      let refusal = await errorOf {
        _ = try await session.merge(UserPath(path), password: TestVault.password, isDryRun: false) { _ in }
      }
      #expect(!session.isLocked)
      return refusal
    }

    private func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: mine.vault.directory)
    }

    @Test(
      "R17 any damage of the copy is reported as the copy's, never as the vault's own",
      arguments: [
        "CREATE TABLE stranger (a)", "DELETE FROM vault", "DELETE FROM slot",
        "UPDATE slot SET sealed = x'00'",
        "DELETE FROM card WHERE number = (SELECT min(number) FROM card)",
        "UPDATE card SET sealed = zeroblob(9)",
        "UPDATE vault SET head = zeroblob(99)", "UPDATE migration SET name = 'vault' WHERE position = 1",
        "cut", "zero",
      ])
    func damaged(_ how: String) async throws {
      switch how {
      case "cut": try #require(truncate(other.vault.path, 40_000) == 0)
      case "zero":
        let file = try FileHandle(forUpdating: URL(filePath: other.vault.path))
        try file.seek(toOffset: 3 * 4_096)
        try file.write(contentsOf: Data(count: 4 * 4_096))
        try file.close()
      default: try RawFile(other.vault).run(how)
      }
      #expect(try await refusal(other.vault.path) == .merge(.damagedCopy))
      #expect(try names() == ["vault.quickvault"])
    }

    @Test("R14 a log of another file beside the copy is ignored")
    func strayLog() async throws {
      let stranger = try TestVault()
      let writer = try await stranger.create()
      try writer.note("somebody else's")
      try FileManager.default.copyItem(atPath: stranger.path + "-wal", toPath: other.vault.path + "-wal")
      let log = try Data(contentsOf: URL(filePath: other.vault.path + "-wal"))
      #expect(try await mine.merge(other).added == 1)
      #expect(try Data(contentsOf: URL(filePath: other.vault.path + "-wal")) == log)
      #expect(try names() == ["vault.quickvault"])
    }

    @Test("R12 a lock and a cancellation while a long file is copied end the merge without leaving files")
    func stopped() async throws {
      try #require(truncate(other.vault.path, 96 << 20) == 0)
      let path = try UserPath(other.vault.path)
      for round in 0..<4 {
        let owner = try await SessionOwner.unlocked(mine.vault)
        let told = Box<[Int]>([])
        let task = Task {
          try await owner.merge(path) { percentage in
            told.value.append(percentage)
            if round % 2 == 0 { await owner.lock() } else { withUnsafeCurrentTask { $0?.cancel() } }
          }
        }
        guard case .failure(let error) = await task.result else {
          Testing.Issue.record("merged")
          continue
        }
        #expect(round % 2 == 0 ? error as? VaultError == .locked : error is CancellationError)
        // The copy may be made before anybody comes to read how far it is.
        #expect(told.value.count >= 1 && told.value.allSatisfy { $0 <= 10 }, "\(told.value)")
        await owner.lock()
        #expect(try names() == ["vault.quickvault"])
      }
    }
  }
}
