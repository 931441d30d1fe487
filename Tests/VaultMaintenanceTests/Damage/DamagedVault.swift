import Foundation
import SessionSupport
import Testing
import VaultCrypto
import VaultInterface
import VaultStore
import Wire

@testable import Vault

/// A small vault in pages of 512 bytes, with everything that a vault can hold, an attachment and a bound device with it, and
/// some room that nothing uses: what its file looks like, and what a session that opens a damaged copy of it may say.
struct SmallVault {
  let vault: TestVault
  let cards: [Card]
  let settings: Settings
  let image: [UInt8]
  private let contents: [Identifier: [UInt8]]
  private let deviceSecret: [UInt8]
  private let vaultKey: SecretBytes
  private let slot: SlotRow
  private let vaultID: Identifier
  private let plaintextSettings: String

  static func make(pageSize: Int = 512) async throws -> SmallVault {
    let vault = try TestVault(inMemory: true)
    let session = try await vault.create()
    var cards = try ["one", "two", "three", "four"].enumerated().map { index, title in
      try session.note(
        title, text: String(repeating: "\(title) 字 ", count: 3 + 50 * index), tags: ["t\(index)"])
    }
    let gone = try session.note("gone", text: String(repeating: "g", count: 900))
    try session.deleteCard(gone.id, revision: nil)
    cards[0] = try session.updateCard(cards[0].id, revision: nil, CardChange(title: "One", pinned: true)).card
    try Replica.attach("a.png", to: cards[0], session)
    try Replica.attach("b.png", to: cards[1], session)
    try Replica.attach("gone.png", to: cards[1], session)
    try session.deleteAttachment(session.card(cards[1].id).attachments[1].id)
    cards = try cards.map { try session.card($0.id) }
    let contents = try cards.flatMap(\.attachments).map {
      let content = try session.content(of: $0.id)
      return ($0.id, Array(content.prefix(content.count)))
    }
    let binding = try session.newBinding()
    _ = try session.bind(binding, name: "laptop", fingerprints: fingerprints)
    let settings = try session.updateSettings([.autoLockSeconds: .seconds(60), .language: .text("zh-Hans")])
    let open = try session.unlocked()
    let row = try open.file.read { try $0.vault() }
    let slot = try #require(open.file.read { try $0.slots().first })
    let vaultKey = open.keys.vaultKey
    session.lock(.request)
    let raw = try RawFile(vault)
    try raw.run("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize); VACUUM")
    // A few pages that belong to nothing, as a deletion leaves them.
    try raw.run("CREATE TABLE filler (a); INSERT INTO filler VALUES (zeroblob(1500)); DROP TABLE filler")
    try raw.run("PRAGMA journal_mode = WAL")
    return SmallVault(
      vault: vault, cards: cards, settings: settings,
      image: Array(try Data(contentsOf: URL(filePath: vault.path))),
      contents: Dictionary(uniqueKeysWithValues: contents), deviceSecret: binding.secret, vaultKey: vaultKey,
      slot: slot,
      vaultID: row.vaultID, plaintextSettings: row.plaintextSettings)
  }

  private static let fingerprints = "right-index-finger"

  /// Replaces the vault's file, and removes its log and index.
  func put(_ bytes: [UInt8]) throws {
    for ending in ["-wal", "-shm", "-journal"] { unlink(vault.path + ending) }
    try Data(bytes).write(to: URL(filePath: vault.path))
  }

  /// What a session finds in the file that is there.
  struct Finding {
    /// Why it did not open at all.
    var error: VaultError?
    /// Whether it said that something is wrong.
    var isNoticed = false
    /// The cards that can be read, all of them as they were.
    var readable: Set<Identifier> = []
    /// The attachments whose contents can be read, all of them as they were.
    var contents: Set<Identifier> = []
  }

  /// Opens the file, reads everything, and checks that nothing is given that was never stored.
  ///
  /// - Parameter isRepaired: whether settings that were lost are those of a new vault without a word, and cards may have
  ///   lost attachments.
  func look(isRepaired: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async throws
    -> Finding
  {
    let session = vault.session()
    defer { session.close() }
    var finding = Finding()
    do {
      try await unlock(session)
    } catch {
      finding.error = VaultError(error)
      finding.isNoticed = true
      return finding
    }
    finding.isNoticed = try !session.summary().isIntact
    do {
      if try session.log(limit: 1_000).contains(where: { $0.event == "settingsForged" }) {
        finding.isNoticed = true
      }
    } catch {
      finding.isNoticed = true
    }
    for card in cards {
      do {
        let read = try session.card(card.id)
        let isAsStored =
          isRepaired
          ? read.title == card.title && read.fields == card.fields && read.tags == card.tags
            && read.attachments.allSatisfy(card.attachments.contains) : read == card
        #expect(isAsStored, sourceLocation: sourceLocation)
        finding.readable.insert(card.id)
      } catch {
        finding.isNoticed = true
      }
    }
    for (id, stored) in contents {
      do {
        let read = try session.content(of: id)
        #expect(Array(read.prefix(read.count)) == stored, sourceLocation: sourceLocation)
        finding.contents.insert(id)
      } catch {
        finding.isNoticed = true
      }
    }
    let listed = try? session.allCards()
    for card in listed ?? [] {
      let known = cards.first { $0.id == card.id }
      #expect(
        known != nil && known?.title == card.title && known?.tags == card.tags, sourceLocation: sourceLocation
      )
    }
    if try session.settings() != settings {
      #expect(
        try session.settings() == Settings() && (isRepaired || !session.summary().isIntact),
        sourceLocation: sourceLocation)
    }
    do {
      if try await session.verify({ _ in }).integrity == .damaged { finding.isNoticed = true }
    } catch {
      finding.isNoticed = true
    }
    session.lock(.request)
    do {
      try await session.unlock(deviceSecret: deviceSecret, fingerprints: Self.fingerprints)
    } catch {
      finding.isNoticed = true
    }
    return finding
  }

  /// Unlocks; the key is derived again only where the password's slot or what it is bound to is another than it was.
  private func unlock(_ session: VaultSession) async throws {
    let (row, slots) = try session.readingOrSalvaging { file in
      try file.read { (try $0.vault(), try $0.slots()) }
    }
    guard slots.first(where: { $0.kind == 1 }) == slot, row.vaultID == vaultID else {
      guard slots.allSatisfy({ $0.iterations <= 1_000_000 && $0.memoryKiB <= 65_536 }) else {
        throw VaultError.unsupportedParameters
      }
      return try await session.unlock(password: TestVault.password)
    }
    let vault = try session.open(second: nil, vaultKey: vaultKey, slot: slot.id)
    try session.updatePlainRows(of: vault, binds: true)
    session.opened = vault
  }
}
