import VaultInterface
import VaultStore
import Wire

/// The sealed records of cards that were deleted since the unlock, so that they can be restored. They are in memory only,
/// and are lost with it when the vault is locked (R1).
struct DeletedCards {
  /// A deleted card.
  struct Entry {
    var row: CardRow
    /// The sealed contents of its attachments.
    var contents: [(id: Identifier, sealed: PrivateBytes)]
    /// With the earlier versions.
    var history: HistoryRow?

    fileprivate var byteCount: Int {
      contents.reduce(row.sealed.count + (history?.sealed.count ?? 0)) { $0 + $1.sealed.count }
    }
  }

  /// How many bytes are kept. A card beyond that cannot be restored.
  static let longest = 64 << 20

  /// The oldest first.
  private var entries: [Entry] = []
  private var byteCount = 0

  /// Returns a deleted card; nil if it is not known.
  subscript(id: Identifier) -> Entry? { entries.last { $0.row.id == id } }

  /// The latest card that fits; nil if none does.
  func latest(where fits: (CardRow) throws -> Bool) rethrows -> Entry? {
    try entries.last { try fits($0.row) }
  }

  /// Keeps a deleted card. The oldest ones make room for it.
  mutating func add(_ entry: Entry) {
    remove(entry.row.id)
    entries.append(entry)
    byteCount += entry.byteCount
    while byteCount > Self.longest {
      let oldest = entries.removeFirst()
      byteCount -= oldest.byteCount
    }
  }

  /// Forgets a card.
  mutating func remove(_ id: Identifier) {
    guard let position = entries.lastIndex(where: { $0.row.id == id }) else { return }
    byteCount -= entries.remove(at: position).byteCount
  }
}

extension Identifier {
  /// Whether a text is the beginning of the id, of at least four digits.
  func begins(with text: String) -> Bool {
    text.utf8.count >= 4 && description.hasPrefix(text.lowercased())
  }
}

extension OpenVault {
  /// Copies the sealed record of a card and its contents before it is deleted; nil if they are too large to be kept.
  func deletedCard(
    _ card: Card, _ row: CardRow, in transaction: borrowing ReadTransaction
  ) throws -> DeletedCards.Entry? {
    guard card.attachments.reduce(row.sealed.count, { $0 + $1.size }) < DeletedCards.longest else {
      return nil
    }
    var entry = DeletedCards.Entry(row: row, contents: [], history: try transaction.history(card.id))
    for attachment in card.attachments {
      let sealed = try transaction.content(attachment.id) { span in
        let bytes = PrivateBytes(capacity: span.byteCount)
        bytes?.append(span)
        return bytes
      }
      guard let sealed, let sealed else { return nil }
      entry.contents.append((attachment.id, sealed))
    }
    return entry
  }

  /// The id of the card that was deleted last of those with a title; without one, with an id that begins so.
  func deletedCard(named name: String) throws -> Identifier? {
    let name = name.trimmed
    let filter = CardFilter(title: name)
    let titled = try deletedCards.latest { row in
      try reader.withRecord(.card, row.id, row.revision, row.sealed) { record in
        filter.matches(try CardRecord.decode(record, id: row.id, revision: row.revision))
      }
    }
    if let titled { return titled.row.id }
    return deletedCards.latest { $0.id.begins(with: name) }?.row.id
  }

  /// Writes a deleted card again, as its next revision.
  func restore(
    _ entry: DeletedCards.Entry, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws -> Card {
    let (row, id) = (entry.row, entry.row.id)
    var card = try reader.withRecord(.card, id, row.revision, row.sealed) {
      try CardRecord.decode($0, id: id, revision: row.revision)
    }
    let history = try? history(of: id, in: transaction.read)
    card.revision = try max(card.revision, history?.versions?.revision ?? 0).incremented()
    try insert(card, transaction, &change)
    if replica == nil, let history {
      try put(CardHistory(replaced: history.replaced), of: id, transaction, &change)
    }
    if let earlier = try entry.history.map(reader.history)?.earlier, !earlier.isEmpty {
      var history = try self.history(of: id, in: transaction.read) ?? CardHistory()
      history.earlier = earlier
      try put(history, of: id, isNew: false, transaction, &change)
    }
    for (id, sealed) in entry.contents {
      try sealed.withSpan { (span) throws in try transaction.insertContent(id, span) }
    }
    let places = card.attachments.map(IndexedAttachment.init)
    for place in places { try change.head.add(reader.element(of: place), kind: .attachment) }
    change.attachments.append((id, places))
    return card
  }
}
