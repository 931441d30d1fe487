import Foundation
import SessionSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Repair where the key is lost")
  struct ImpossibleRepairTests {
    /// What takes away the part of the file that holds the key, or the vault's id.
    enum Loss: CaseIterable {
      case slotRow, vaultRow, slotPage, vaultPage, slotTable, vaultTable, slotShape, firstPage, hundredBytes
    }

    @Test(
      "R10 R17 without the records that hold the key a repair is not possible, and changes nothing",
      arguments: Loss.allCases)
    func lost(_ loss: Loss) async throws {
      let small = try await SmallVault.make()
      try damage(small, loss)
      let before = try Data(contentsOf: URL(filePath: small.vault.path))
      let session = small.vault.session()
      let error = await errorOf { _ = try await session.repair(password: TestVault.password, copy: nil) }
      session.close()
      #expect(error == .repair(.notPossible))
      #expect(try Data(contentsOf: URL(filePath: small.vault.path)) == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: small.vault.directory) == ["vault.quickvault"])
    }

    @Test(
      "R10 R17 the same holds for an unlocked session, which has the key itself",
      arguments: [Loss.slotRow, .vaultRow])
    func unlocked(_ loss: Loss) async throws {
      let small = try await SmallVault.make()
      let session = try await small.vault.unlock()
      try RawFile(small.vault).run(statement(loss))
      let error = await errorOf { _ = try await session.repair(password: nil, copy: nil) }
      session.close()
      #expect(error == .repair(.notPossible))
    }

    private func statement(_ loss: Loss) -> String {
      switch loss {
      case .slotRow: "DELETE FROM slot"
      case .vaultRow: "DELETE FROM vault"
      case .slotTable: "DROP TABLE slot"
      case .vaultTable: "DROP TABLE vault"
      case .slotShape: "UPDATE slot SET sealed = x'00'"
      case .slotPage, .vaultPage, .firstPage, .hundredBytes: ""
      }
    }

    private func damage(_ small: SmallVault, _ loss: Loss) throws {
      switch loss {
      case .slotRow, .vaultRow, .slotTable, .vaultTable, .slotShape:
        try RawFile(small.vault).run(statement(loss))
        // The log goes into the file, so that the file is all there is.
        try RawFile(small.vault).run("PRAGMA wal_checkpoint(TRUNCATE)")
      case .slotPage, .vaultPage:
        let raw = try RawFile(small.vault)
        let table = loss == .slotPage ? "slot" : "vault"
        var bytes = small.image
        for row in try raw.rows("SELECT pageno FROM dbstat WHERE name = '\(table)'") {
          let page = try #require(Int(row[0]))
          bytes.replaceSubrange((page - 1) * 512..<page * 512, with: [UInt8](repeating: 0, count: 512))
        }
        #expect(bytes != small.image)
        try small.put(bytes)
      case .firstPage: try small.put(Array(small.image.prefix(512)))
      case .hundredBytes: try small.put(Array(small.image.prefix(100)))
      }
    }
  }
}
