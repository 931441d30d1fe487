package import Foundation
import Testing
package import Vault
package import VaultInterface

/// A vault in a private directory of a test's own, gone with the value, and a clock that the test moves.
package final class TestVault: Sendable {
  package static let password = "correct horse 电池"
  package static let derivation = KeyDerivationRequest.pbkdf2(iterations: 100_000)

  package let directory: String
  package let clock = TestClock()

  /// - Parameter inMemory: whether the directory is one that no disk is behind, where there is such a place.
  package init(inMemory: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm")
    let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
    let base = isThere ? memory : FileManager.default.temporaryDirectory
    let url = base.appending(path: "vault-session-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    directory = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  package var path: String { directory + "/vault.quickvault" }

  /// A session of the vault, locked: each is a connection of its own, as another process's would be.
  package func session() -> VaultSession {
    VaultSession(path: path, clock: clock)
  }

  /// The vault's first session, which makes it.
  package func create() async throws -> VaultSession {
    let session = session()
    try await session.create(password: Self.password, keyDerivation: Self.derivation)
    return session
  }

  /// A further session, unlocked.
  package func unlock(_ password: String = TestVault.password) async throws -> VaultSession {
    let session = session()
    try await session.unlock(password: password)
    return session
  }

  /// Every byte of the vault's file, log and shared memory.
  package func bytesOnDisk() throws -> Data {
    var all = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: directory).sorted() {
      all += try Data(contentsOf: URL(filePath: directory + "/" + name))
    }
    return all
  }
}

/// The error that a body throws, in the terms of the protocol; nil if it throws none.
package func vaultError(_ body: () throws -> Void) -> VaultError? {
  do {
    try body()
    return nil
  } catch {
    return VaultError(error)
  }
}

extension VaultSession {
  /// The error that unlocking with a password comes to; nil if it succeeds.
  package func errorOfUnlock(_ password: String) async -> VaultError? {
    do {
      try await unlock(password: password)
      return nil
    } catch {
      return VaultError(error)
    }
  }

  /// Every page of a list, one after another.
  package func allCards(_ filter: CardFilter = CardFilter(), limit: Int = 3) throws -> [Card] {
    var cards: [Card] = []
    var cursor: String?
    repeat {
      let page = try self.cards(filter, limit: limit, cursor: cursor)
      cards += page.items
      cursor = page.nextCursor
    } while cursor != nil
    return cards
  }

  /// Creates a text card.
  @discardableResult package func note(
    _ title: String, text: String = "body", group: CardGroup = .personal, tags: [String] = [],
    pinned: Bool = false
  ) throws -> Card {
    try createCard(
      CardDraft(
        title: title, group: group, type: .text, fields: ["text": text], tags: tags, pinned: pinned)
    ).card
  }
}

package enum Samples {
  package static let address = CardDraft(
    title: "Home 家", group: .personal, type: .address,
    fields: [
      "name": "张三", "phone": "138 1234-5678", "province": "广东省", "city": "深圳市", "district": "南山区",
      "address": "科技园路1号 A座", "postalCode": "518000",
    ],
    extraFields: [ExtraField(label: "door code", value: "4711#", concealed: true)], tags: ["快递", "family"])
  package static let invoice = CardDraft(
    title: "开票", group: .company, type: .invoice,
    fields: [
      "companyName": "随取科技有限公司", "taxId": "91350100M000100Y43", "address": "福州市鼓楼区1号",
      "phone": "0591-87654321", "bankName": "中国银行", "bankAccount": "6222 0000 1111",
    ], tags: ["税务"])
}
