import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// Builds a new vault from the records of a damaged one that open.
struct VaultRebuilder {
  private let source: VaultFile
  private let keys: VaultKeys
  private let vault: Identifier
  private let reader: RecordReader
  private var head: VaultHead
  private let generation: Int64
  private let row: VaultRow
  /// The password's slot that opened the vault.
  private let slot: Identifier
  /// The hash of slots and plain settings according to the old head.
  private let plainHash: [UInt8]?
  /// The number of cards according to the old head; nil if it does not open.
  private let counted: UInt64?
  /// Whether the record hash is that of the records.
  private let isComplete: Bool
  private var found: UInt64 = 0
  /// The cards that are kept, and those of them that lost attachments.
  private var cards: Set<Identifier> = []
  private var changed: Set<Identifier> = []

  private var attachmentCount = 0
  private(set) var dropped: [Repair.Dropped] = []

  var kept: Repair.Kept { Repair.Kept(cards: cards.count, attachments: attachmentCount) }
  /// The number of cards that the head counted and were not found.
  var missing: Int? {
    counted.map { Int(clamping: $0 > found ? $0 - found : 0) }
  }

  /// - Parameters:
  ///   - source: the damaged file.
  ///   - slot: the password's slot that opened the vault.
  ///   - isComplete: whether its record hash is that of its records, though some may not open.
  init(
    _ source: VaultFile, keys: VaultKeys, vault: Identifier, slot: Identifier, isComplete: Bool
  ) throws {
    (self.source, self.keys, self.vault, self.slot) = (source, keys, vault, slot)
    self.isComplete = isComplete
    reader = RecordReader(source, keys: keys, vault: vault)
    row = try source.read { try $0.vault() }
    let isUsable = row.generation > 0 && row.generation < .max
    generation = isUsable ? row.generation + 1 : 1
    head = VaultHead(emptyAt: UInt64(generation))
    let oldHead = try? reader.head(row)
    (counted, plainHash) = (oldHead?.cardCount, oldHead?.plainHash)
  }

  /// Writes every record that opens, and a head that accounts for them. Ends early if the task is cancelled.
  mutating func fill(_ target: borrowing WriteTransaction) throws {
    var plaintextSettings = Settings().plaintext
    try source.read { transaction in
      for event in try transaction.events().reversed() { try target.appendEvent(event) }
      try fillCards(transaction, target)
      try fillHistories(transaction, target)
      for document in try transaction.documents() {
        guard let text = try? reader.text(of: document) else {
          dropped.append(.document(document.name))
          continue
        }
        if [KeyValueText.documentName, DeviceDocument.name].contains(document.name) {
          guard let values = KeyValueText(text) else {
            dropped.append(.document(document.name))
            continue
          }
          if document.name == KeyValueText.documentName {
            plaintextSettings = Settings(values).plaintext
          }
        }
        let rebuilt = try document.name == SyncDocument.name ? startingOver(document, text) : document
        try target.insertDocument(rebuilt)
        let id = try Identifier(documentNamed: document.name)
        try head.add(reader.element(.document, id, rebuilt.revision, rebuilt.sealed), kind: .document)
      }
      let slots = try slots(transaction.slots(), settings: plaintextSettings)
      for slot in slots { try target.insertSlot(slot) }
      head.plainHash = try PlainHash.hash(slots: slots.map(PlainHash.Slot.init), settings: plaintextSettings)
    }
    try target.setLockout(.none)
    let sealed = try reader.seal(.head, .zero, generation, head.encoded())
    try target.insertVault(
      VaultRow(vaultID: vault, generation: generation, head: sealed, plaintextSettings: plaintextSettings))
  }

  /// Returns the document of a synchronised vault that goes on as another replica and reads the folder from the beginning: what was lost
  /// may be there, and a number that a lost history had given to a write must not be given again.
  private func startingOver(_ document: DocumentRow, _ text: String) throws -> DocumentRow {
    guard var sync = KeyValueText(text).flatMap(SyncDocument.init) else { return document }
    try sync.startOver(as: .random())
    let id = try Identifier(documentNamed: document.name)
    let revision = try document.revision.incremented()
    let sealed = try reader.seal(.document, id, revision, Array(sync.values.text.utf8))
    return DocumentRow(name: document.name, revision: revision, sealed: sealed)
  }

  /// Returns the slots to keep: the password's that opened the vault, and the others where the old head accounts for them
  /// together with it, or accounts for no slots.
  ///
  /// - Parameter settings: the plain settings as they should have been.
  private func slots(_ all: [SlotRow], settings: String) throws -> [SlotRow] {
    let password = all.first { $0.isPassword && $0.id == slot } ?? all.first(where: \.isPassword)
    let kept = all.filter { !$0.isPassword || $0.id == password?.id }
    guard let plainHash else { return kept }
    let isKnown = try [settings, row.plaintextSettings].contains { settings in
      try PlainHash.hash(slots: kept.map(PlainHash.Slot.init), settings: settings) == plainHash
    }
    return isKnown ? kept : kept.filter(\.isPassword)
  }

  /// Copies histories. A card that lost attachments does not keep the tag of its content, so that a merge with another copy, which has
  /// them, keeps both.
  private mutating func fillHistories(
    _ transaction: borrowing ReadTransaction, _ target: borrowing WriteTransaction
  ) throws {
    let changed = changed
    var head = head
    try KeptHistories(of: cards, isComplete: isComplete, reader, transaction).visit(transaction) {
      row, history in
      guard history.own.isEmpty || !changed.contains(row.id) else { return }
      try target.putHistory(row)
      try head.add(reader.element(.history, row.id, row.revision, row.sealed), kind: .history)
    }
    self.head = head
  }

  private mutating func fillCards(
    _ transaction: borrowing ReadTransaction, _ target: borrowing WriteTransaction
  ) throws {
    var decoded = DecodedCards()
    try reader.visitCards(&decoded, transaction)
    found = UInt64(decoded.intact.count + decoded.damaged.count)
    dropped += decoded.damaged.sorted().map { .card($0) }
    for id in decoded.intact {
      try Task.checkCancellation()
      guard var card = try transaction.card(id) else { throw StoreError(.corrupt) }
      try keepContents(of: &card, transaction, target)
      try target.insertCard(card)
      try head.add(reader.element(.card, id, card.revision, card.sealed), kind: .card)
      cards.insert(id)
    }
  }

  /// Writes the contents of a card's attachments that open. A card that loses others gets a new revision.
  private mutating func keepContents(
    of row: inout CardRow, _ transaction: borrowing ReadTransaction, _ target: borrowing WriteTransaction
  ) throws {
    var card = try reader.card(row)
    guard !card.attachments.isEmpty else { return }
    var lost: [Identifier] = []
    for attachment in card.attachments {
      try Task.checkCancellation()
      let isKept = try transaction.content(attachment.id) { sealed in
        guard (try? reader.content(of: attachment, sealed)) != nil else { return false }
        do {
          try target.insertContent(attachment.id, sealed)
          return true
        } catch StoreError.rowIDCollision {
          return false
        }
      }
      guard isKept == true else {
        lost.append(attachment.id)
        continue
      }
      try head.add(reader.element(of: IndexedAttachment(attachment)), kind: .attachment)
      attachmentCount += 1
    }
    guard !lost.isEmpty else { return }
    dropped += lost.map { .attachment($0) }
    changed.insert(row.id)
    card.attachments.removeAll { lost.contains($0.id) }
    card.revision = try card.revision.incremented()
    row = CardRow(
      id: row.id, revision: card.revision,
      sealed: try reader.seal(.card, card.id, card.revision, CardRecord.encode(card)))
  }
}

/// Collects the cards that decode completely, and those that do not.
private struct DecodedCards: CardVisitor {
  static let visitsTrash = true
  var intact: [Identifier] = []
  var damaged: Set<Identifier> = []

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    try Task.checkCancellation()
    if let record, (try? CardRecord.decode(record, id: id, revision: revision)) != nil {
      intact.append(id)
    } else {
      damaged.insert(id)
    }
  }

  mutating func merge(_ other: DecodedCards) {
    intact += other.intact
    damaged.formUnion(other.damaged)
  }
}

/// The histories that a repaired vault keeps: those that open, of cards that lost nothing.
///
/// Where records were removed or rolled back, the card of any history may be older than the history says. Those of present cards of a
/// synchronised vault are then left out, so that what other machines have is merged as another version.
///
/// The history of a lost card would say that its content was here and is gone, so that no merge would bring it back. For the same
/// reason a card whose conflict copy was lost does not keep its own.
struct KeptHistories {
  private let reader: RecordReader
  /// Whether the vault has all of its records, though some may not open.
  private let isComplete: Bool
  private var opened: Set<Identifier> = []
  /// The cards that should be there, and are not.
  private var lost: Set<Identifier> = []

  /// Reads all histories of the damaged vault.
  ///
  /// - Parameters:
  ///   - cards: those that are kept.
  ///   - isComplete: whether the record hash is that of the records, though some may not open.
  /// - Throws: also `CancellationError`.
  init(
    of cards: Set<Identifier>, isComplete: Bool, _ reader: RecordReader,
    _ transaction: borrowing ReadTransaction
  ) throws {
    (self.reader, self.isComplete) = (reader, isComplete)
    var (opened, lost) = (opened, lost)
    try forEach(transaction) { row, history in
      opened.insert(row.id)
      if history.deletedAt == nil, !cards.contains(row.id) { lost.insert(row.id) }
    }
    (self.opened, self.lost) = (opened, lost)
  }

  /// Calls `body` with each history that is kept.
  func visit(
    _ transaction: borrowing ReadTransaction, _ body: (HistoryRow, CardHistory) throws -> Void
  ) throws {
    try forEach(transaction) { row, history in
      let copies = history.versions?.copies ?? []
      let hasCopies = lost.isDisjoint(with: copies) && opened.isSuperset(of: copies)
      let isTrusted =
        isComplete || history.versions == nil || history.deletedAt != nil || history.origin != nil
      if isTrusted, hasCopies, !lost.contains(row.id) { try body(row, history) }
    }
  }

  private func forEach(
    _ transaction: borrowing ReadTransaction, _ body: (HistoryRow, CardHistory) throws -> Void
  ) throws {
    try transaction.forEachHistory { number, row in
      try Task.checkCancellation()
      guard number == row.id.number, let history = try? reader.history(row) else { return }
      try body(row, history)
    }
  }
}
