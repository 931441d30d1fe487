import SessionSupport
import Identifiers
import Foundation
import Testing
import VaultCrypto
import VaultModel
import VaultStore

@testable import VaultMaintenance
@testable import VaultSession

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
    let settings = try session.updateSettings(
      SettingsChange(autoLockSeconds: .after(60), language: "zh-Hans"))
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

/// What each byte of an intact file is for, as far as damage to it may go unseen.
struct PageMap {
  /// Why damage to a byte changes nothing that anybody keeps in a vault.
  enum Harmless: String, CaseIterable {
    case freePage = "a page that belongs to nothing"
    case unusedRoom = "room in a page that no row uses"
    case plainRows = "a row of the lock-out, the log or their counter, which nothing seals"
    case index = "an index, which holds nothing that its table does not"
    case counters = "a count, a hint or a spare byte of SQLite's in the file's header"
    case parting = "a number at which a tree parts, where it parts in the same place all the same"
    case rowNumber = "the number of a row that nothing refers to"
    case overflowRest = "the rest of a row's last page"
  }

  private var harmless: [Harmless?]
  /// The b-tree that a page belongs to, by its number from 1.
  private(set) var owners: [Int: String] = [:]
  let pageSize: Int

  init(_ raw: RawFile, pageSize: Int) throws {
    self.pageSize = pageSize
    harmless = []
    for row in try raw.rows("SELECT pageno, name FROM dbstat") { owners[Int(row[0]) ?? 0] = row[1] }
  }

  /// Reads a file that SQLite finds intact.
  init(_ image: [UInt8], _ raw: RawFile, pageSize: Int) throws {
    try self.init(raw, pageSize: pageSize)
    harmless = [Harmless?](repeating: nil, count: image.count)
    let kinds = Dictionary(
      try raw.rows("SELECT pageno, pagetype FROM dbstat").map { (Int($0[0]) ?? 0, $0[1]) },
      uniquingKeysWith: { $1 })
    let unused = Dictionary(
      try raw.rows("SELECT pageno, unused FROM dbstat").map { (Int($0[0]) ?? 0, Int($0[1]) ?? 0) },
      uniquingKeysWith: { $1 })
    for page in 1...image.count / pageSize {
      let start = (page - 1) * pageSize
      let all = start..<start + pageSize
      guard let owner = owners[page] else {
        mark(all, .freePage)
        continue
      }
      if ["lockout", "event", "sqlite_sequence"].contains(owner) { mark(all, .plainRows) }
      if owner.hasPrefix("sqlite_autoindex") { mark(all, .index) }
      if kinds[page] == "overflow" {
        mark(all.upperBound - (unused[page] ?? 0)..<all.upperBound, .overflowRest)
      } else {
        markUnused(image, page: page, owner: owner)
      }
    }
    // <https://www.sqlite.org/fileformat2.html>, "The Database Header": the change counter, the size in pages with it, the
    // list of free pages and its length, the schema's cookie, the cache's size, the vacuum's fields, what is reserved, and
    // who wrote last.
    for field in [
      24..<28, 28..<32, 32..<36, 36..<40, 40..<44, 44..<47, 48..<52, 56..<59, 52..<56, 64..<68, 72..<92,
      92..<96,
      96..<100,
    ] {
      mark(field, .counters)
    }
  }

  /// Why a change of this byte in these bytes may go unseen; nil if it may not.
  func reason(_ offset: Int, of bytes: [UInt8]) -> Harmless? {
    // SQLite looks at two bits of the text's encoding, and takes 0 for UTF-8 as well.
    offset == 59 && bytes[offset] & 3 <= 1 ? .counters : reason(offset)
  }

  /// Why a change of this byte may go unseen; nil if it may not.
  func reason(_ offset: Int) -> Harmless? { harmless[offset] }

  private mutating func mark(_ range: Range<Int>, _ reason: Harmless) {
    for offset in range { harmless[offset] = reason }
  }

  /// Marks what lies between the cells of a leaf, and the numbers of rows that nothing refers to.
  private mutating func markUnused(_ image: [UInt8], page: Int, owner: String) {
    let start = (page - 1) * pageSize
    let head = start + (page == 1 ? 100 : 0)
    guard [13, 10, 5].contains(image[head]) else { return }
    let headCount = image[head] == 5 ? 12 : 8
    let count = Int(image[head + 3]) << 8 | Int(image[head + 4])
    var used = IndexSet(integersIn: head..<head + headCount + 2 * count)
    for index in 0..<count {
      let pointer = head + headCount + 2 * index
      let offset = Int(image[pointer]) << 8 | Int(image[pointer + 1])
      guard image[head] != 5 else {
        // A page number and a key, at which the tree parts.
        let (_, keyBytes) = Self.varint(image, start + offset + 4)
        used.insert(integersIn: start + offset..<start + offset + 4 + keyBytes)
        mark(start + offset + 4..<start + offset + 4 + keyBytes, .parting)
        continue
      }
      let (payload, payloadBytes) = Self.varint(image, start + offset)
      let isTable = image[head] == 13
      let (_, numberBytes) = isTable ? Self.varint(image, start + offset + payloadBytes) : (0, 0)
      let most = isTable ? pageSize - 35 : (pageSize - 12) * 64 / 255 - 23
      let least = (pageSize - 12) * 32 / 255 - 23
      let wanted = least + (payload - least) % (pageSize - 4)
      let local = payload <= most ? payload : (wanted <= most ? wanted : least) + 4
      let first = start + offset
      used.insert(integersIn: first..<first + payloadBytes + numberBytes + local)
      if isTable, ["sqlite_schema", "slot", "migration"].contains(owner) {
        mark(first + payloadBytes..<first + payloadBytes + numberBytes, .rowNumber)
      }
    }
    for offset in head..<start + pageSize where !used.contains(offset) { harmless[offset] = .unusedRoom }
    // Where the first free block is, where the cells begin, and how many bytes lie scattered.
    mark(head + 1..<head + 3, .unusedRoom)
    mark(head + 5..<head + 8, .unusedRoom)
  }

  private static func varint(_ image: [UInt8], _ offset: Int) -> (Int, Int) {
    var value = 0
    for index in 0..<9 {
      value = value << 7 | Int(image[offset + index] & 0x7f)
      if image[offset + index] & 0x80 == 0 { return (value, index + 1) }
    }
    return (value, 9)
  }
}
