public import Identifiers
import VaultCrypto
public import VaultModel
public import VaultSession
import VaultStore

/// A card that another program, or another vault, had: to be stored under an id of its own.
public struct CardImport: Sendable, Hashable {
  /// The contents, normalised and valid (see `CardDraft.checked()`).
  public var draft: CardDraft
  /// The time of creation; nil if unknown.
  public var createdAt: Timestamp?
  /// The time of the last change; nil for now.
  public var modifiedAt: Timestamp?

  /// Makes a card to import.
  public init(_ draft: CardDraft, createdAt: Timestamp? = nil, modifiedAt: Timestamp? = nil) {
    self.draft = draft
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
  }
}

/// An attachment of an imported card, whose content a decoder has checked.
public struct AttachmentImport: Sendable {
  /// The name, as `Attachment.check(name:)` wants it.
  public var name: String
  /// The media type of the content.
  public var mediaType: MediaType
  /// The size of the picture as it is stored, in pixels; of a PDF's first page, in points.
  public var width, height: Int
  /// The watermark drawn over the picture when it is shown.
  public var watermark: Watermark?
  /// The time of attachment; nil if unknown.
  public var addedAt: Timestamp?
  /// Returns the content; called when it is stored, so that one at a time is in memory.
  public var content: @Sendable () throws -> PrivateBytes

  /// Makes an attachment.
  public init(
    name: String, mediaType: MediaType, width: Int, height: Int, watermark: Watermark?, addedAt: Timestamp?,
    content: @escaping @Sendable () throws -> PrivateBytes
  ) {
    self.name = name
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.watermark = watermark
    self.addedAt = addedAt
    self.content = content
  }
}

/// The outcome for one imported card.
public enum CardImportOutcome: Sendable, Hashable {
  /// Stored under this identifier.
  case stored(Identifier)
  /// Would be stored; this was a dry run.
  case ready
  /// The vault, or an earlier card of the import, has the same content.
  case duplicate
}

extension VaultSession {
  /// The number of cards between two checks for cancellation.
  fileprivate static let portion = 256

  /// Stores cards in one transaction: all of them or, when anything throws, none.
  ///
  /// Cards are sealed beforehand, in portions between which the task can be cancelled; the transaction itself only writes,
  /// but for attachments, which it seals one after another. It is rolled back where the task is cancelled before all of it is
  /// written. Where another process writes meanwhile, it begins anew. Times in the future are taken for now.
  ///
  /// - Parameters:
  ///   - attachments: what belongs to the card at this place; nothing of a card that is not stored.
  ///   - keepsDuplicates: whether a card is stored that the vault, or a card before it, has already (``CardFingerprint``).
  ///   - isDryRun: whether nothing is stored.
  ///   - lookUp: is called now and then by what cannot be left for others: to cancel the task, or to lock the vault, where
  ///     somebody wants that.
  ///   - report: is told how much is done, in percent, each time more than before.
  /// - Returns: what became of each card, in their order.
  /// - Throws: `CancellationError`, ``VaultError/locked``, ``VaultError/damaged(_:)``, `StoreError`.
  public func importCards(
    _ cards: [CardImport], attachments: [Int: [AttachmentImport]] = [:], keepsDuplicates: Bool,
    isDryRun: Bool,
    lookUp: () -> Void = {}, _ report: (Int) async -> Void
  ) async throws -> [CardImportOutcome] {
    let vault = try access()
    defer { writeLateEntry() }
    func pause() throws {
      lookUp()
      try Task.checkCancellation()
      try self.checkIsOpen(vault)
    }
    var told = 0
    for _ in 0..<3 {
      guard vault.isIntact else { throw VaultError.damaged(vault.damaged.first) }
      let (known, generation) = try vault.scan { KnownContents() }
      try checkIsOpen(vault)
      let isNew = try Self.isNew(cards, besides: keepsDuplicates ? nil : known.fingerprints, pause)
      guard !isDryRun else { return isNew.map { $0 ? .ready : .duplicate } }
      var preparation = ImportPreparation(vault, at: vault.timeOfChange(clock))
      var outcomes: [CardImportOutcome] = []
      for (index, card) in cards.enumerated() {
        outcomes.append(
          isNew[index] ? .stored(try preparation.add(card, attachments[index] ?? [])) : .duplicate)
        guard (index + 1).isMultiple(of: Self.portion) else { continue }
        try Task.checkCancellation()
        let percentage = (index + 1) * 100 / cards.count
        if percentage > told { await report(percentage) }
        told = max(told, percentage)
        await Task.yield()
        try checkIsOpen(vault)
      }
      try Task.checkCancellation()
      if try preparation.store(following: generation, pause) { return outcomes }
    }
    throw StoreError.busy
  }

  /// Returns for each card whether its content is new.
  ///
  /// - Parameter known: the contents in the vault; nil to count every card as new.
  private static func isNew(
    _ cards: [CardImport], besides known: Set<CardFingerprint>?, _ pause: () throws -> Void
  ) throws -> [Bool] {
    guard var known else { return cards.map { _ in true } }
    let nowhere = Identifier(high: 0, low: 0)
    return try cards.enumerated().map { index, card in
      if index.isMultiple(of: portion) { try pause() }
      let card = Card(card.draft, id: nowhere, at: Timestamp(milliseconds: 0))
      return known.insert(try CardFingerprint(of: card)).inserted
    }
  }
}

/// Collects the fingerprints of all cards.
private struct KnownContents: CardVisitor {
  var fingerprints: Set<CardFingerprint> = []

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    if let record { fingerprints.insert(try CardFingerprint(of: record)) }
  }

  mutating func merge(_ other: KnownContents) {
    fingerprints.formUnion(other.fingerprints)
  }
}

/// Sealed cards that are ready to be written.
private struct ImportPreparation {
  private struct Sealed {
    var row: CardRow
    var element: RecordHash.Element
    var order: CardOrder
  }

  private let vault: any VaultAccess
  private let now: Timestamp
  private var cards: [Sealed] = []
  private var withAttachments: [(card: Card, attachments: [AttachmentImport])] = []

  init(_ vault: any VaultAccess, at now: Timestamp) {
    self.vault = vault
    self.now = now
  }

  /// Seals a card under a new identifier; cards with attachments are sealed in the transaction.
  mutating func add(_ card: CardImport, _ attachments: [AttachmentImport]) throws -> Identifier {
    let modified = min(card.modifiedAt ?? now, now)
    let created = min(card.createdAt ?? modified, modified)
    let id = try Identifier.random()
    let card = Card(card.draft, id: id, revision: 1, createdAt: created, modifiedAt: modified)
    guard attachments.isEmpty else {
      withAttachments.append((card, attachments))
      return id
    }
    let sealed = try vault.reader.seal(.card, id, card.revision, CardRecord.encode(card))
    cards.append(
      Sealed(
        row: CardRow(id: id, revision: card.revision, sealed: sealed),
        element: try vault.reader.element(.card, id, card.revision, sealed), order: card.order))
    return id
  }

  /// Writes the cards, unless the vault has changed since the scan or an identifier is taken.
  ///
  /// - Returns: whether they were written.
  func store(following generation: Int64, _ pause: () throws -> Void) throws -> Bool {
    guard !cards.isEmpty || !withAttachments.isEmpty else { return true }
    do {
      try vault.change { transaction, change in
        guard change.generation == generation + 1 else { throw Moved() }
        for (index, card) in cards.enumerated() {
          if index.isMultiple(of: VaultSession.portion) { try pause() }
          try transaction.insertCard(card.row)
          try change.head.add(card.element, kind: .card)
          change.markChanged(card.row.id)
          change.indexed.append(card.order)
        }
        for (card, attachments) in withAttachments {
          var card = card
          for attachment in attachments {
            try pause()
            card.attachments.append(try store(attachment, transaction, &change))
          }
          try vault.insert(card, transaction, &change)
          change.attachments.append((card.id, card.attachments.map(AttachmentPlace.init)))
        }
        try pause()
      }
      return true
    } catch is Moved {
      return false
    } catch StoreError.rowIDCollision {
      return false
    }
  }

  private func store(
    _ attachment: AttachmentImport, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws -> Attachment {
    let content = try attachment.content()
    guard content.count <= Limits.attachmentBytes else {
      throw VaultError.attachmentTooLarge(limit: Limits.attachmentBytes)
    }
    let id = try Identifier.random()
    let sealed = try vault.reader.seal(content, of: id)
    let stored = Attachment(
      id: id, name: attachment.name, mediaType: attachment.mediaType, size: content.count,
      width: attachment.width, height: attachment.height, addedAt: min(attachment.addedAt ?? now, now),
      watermark: attachment.watermark, seal: try ContentSeal(of: sealed))
    try sealed.withSpan { (span) throws in try transaction.insertContent(id, span) }
    try change.head.add(vault.reader.element(of: AttachmentPlace(stored)), kind: .attachment)
    return stored
  }

  /// Another process changed the vault since the scan.
  private struct Moved: Error {}
}
