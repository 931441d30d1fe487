import VaultCrypto
public import VaultInterface
import VaultStore
public import Wire

/// A card of another program or vault, to be stored under a new identifier.
public struct CardImport: Sendable, Hashable {
  /// The contents, normalised and valid (see `CardDraft.checked(lacksGroup:)`).
  public var draft: CardDraft
  /// The time of creation; nil if unknown.
  public var createdAt: Timestamp?
  /// The time of the last change; nil for now.
  public var modifiedAt: Timestamp?

  public init(_ draft: CardDraft, createdAt: Timestamp? = nil, modifiedAt: Timestamp? = nil) {
    self.draft = draft
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
  }

  /// Returns the card with its tags as the vault, or a card before it, writes them (R15).
  fileprivate func spelled(by spelling: inout TagSpelling) -> CardImport {
    var card = self
    card.draft.tags = spelling.spell(draft.tags)
    return card
  }
}

/// An attachment of an imported card, whose content a decoder has checked.
public struct AttachmentImport: Sendable {
  /// The name, as `Attachment.check(name:)` wants it.
  public var name: String
  public var mediaType: MediaType
  /// The size of the picture as it is stored, in pixels; of a PDF's first page, in points.
  public var width, height: Int
  /// The watermark drawn over the picture when it is shown.
  public var watermark: Watermark?
  /// The time of attachment; nil if unknown.
  public var addedAt: Timestamp?
  /// Returns the content; called when it is stored, so that one at a time is in memory.
  public var content: @Sendable () throws -> PrivateBytes

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

/// The outcome of an import for one entry.
public enum ImportOutcome: Sendable, Hashable {
  /// Stored under this identifier.
  case imported(Identifier)
  /// Can be stored; this was a dry run.
  case ready
  /// The vault, or an earlier entry, has the same content.
  case duplicate
  /// Cannot be stored, or was left out on purpose: see its issues and warnings.
  case skipped
}

extension VaultSession {
  /// Stores cards in one transaction in the background: all of them or, when anything throws, none.
  ///
  /// If another process writes meanwhile, it starts over. Times in the future count as now.
  ///
  /// - Parameters:
  ///   - attachments: the attachments of cards by the card's place; those of a card that is not stored are ignored.
  ///   - keepsDuplicates: whether cards are stored whose content is already there (``CardFingerprint``).
  ///   - areDistinct: whether the cards are compared with the vault only, and not with each other.
  ///   - isDryRun: whether nothing is stored.
  ///   - report: takes the progress in percent.
  /// - Returns: the outcome of each card, in their order; none is ``ImportOutcome/skipped``.
  /// - Throws: `CancellationError`, ``VaultError/locked``, ``VaultError/damaged(_:)``, `StoreError`.
  public func importCards(
    _ cards: [CardImport], attachments: [Int: [AttachmentImport]] = [:], keepsDuplicates: Bool,
    areDistinct: Bool = false, isDryRun: Bool, _ report: (Int) async -> Void
  ) async throws -> [ImportOutcome] {
    let clock = clock
    return try await changeInBackground(report) { vault, note in
      let (contents, generation) = try vault.scan { KnownContents(hasFingerprints: !keepsDuplicates) }
      let isNew = try contents.isNew(cards, areDistinct: areDistinct)
      guard !isDryRun else { return isNew.map { $0 ? .ready : .duplicate } }
      var batch = ImportBatch(vault, at: vault.timeOfChange(clock))
      var outcomes: [ImportOutcome] = []
      var spelling = try contents.spelling()
      for (index, card) in cards.enumerated() {
        try Task.checkCancellation()
        let card = card.spelled(by: &spelling)
        outcomes.append(isNew[index] ? .imported(try batch.add(card, attachments[index] ?? [])) : .duplicate)
        if (index + 1).isMultiple(of: ImportBatch.portion) { try note((index + 1) * 100 / cards.count) }
      }
      return try batch.isEmpty || batch.store(following: generation) ? outcomes : nil
    }
  }
}

/// Collects the fingerprints and the tags of all cards.
private struct KnownContents: CardVisitor {
  /// Whether fingerprints are collected, which tell duplicates.
  let hasFingerprints: Bool
  private var fingerprints: Set<CardFingerprint> = []
  private var tags = CountedTags()

  init(hasFingerprints: Bool) {
    self.hasFingerprints = hasFingerprints
  }

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    if hasFingerprints, let record { fingerprints.insert(try CardFingerprint(of: record)) }
    try tags.visit(id, revision, sealed, record, reader)
  }

  mutating func merge(_ other: KnownContents) {
    fingerprints.formUnion(other.fingerprints)
    tags.merge(other.tags)
  }

  /// Returns the tags as the vault writes them (R15).
  func spelling() throws -> TagSpelling {
    try tags.spelling { _ in try Task.checkCancellation() }
  }

  /// Returns for each card whether neither the vault nor, unless the cards are distinct, a card before it has its content.
  ///
  /// Without fingerprints every card counts as new.
  func isNew(_ cards: [CardImport], areDistinct: Bool) throws -> [Bool] {
    guard hasFingerprints else { return cards.map { _ in true } }
    var known = fingerprints
    return try cards.map { card in
      try Task.checkCancellation()
      let card = Card(card.draft, id: .zero, at: Timestamp(milliseconds: 0))
      let fingerprint = try CardFingerprint(of: card)
      return areDistinct ? !known.contains(fingerprint) : known.insert(fingerprint).inserted
    }
  }
}

/// Cards to be written in one transaction, sealed already where they have no attachments.
struct ImportBatch {
  /// The number of cards between two reports of progress.
  static let portion = 256

  private let vault: OpenVault
  private let now: Timestamp
  private var cards: [SealedCard] = []
  private var withAttachments: [(card: Card, attachments: [AttachmentImport])] = []

  init(_ vault: OpenVault, at now: Timestamp) {
    self.vault = vault
    self.now = now
  }

  var isEmpty: Bool { cards.isEmpty && withAttachments.isEmpty }

  /// Adds a card under a new identifier; cards with attachments are sealed in the transaction.
  mutating func add(_ card: CardImport, _ attachments: [AttachmentImport]) throws -> Identifier {
    let modified = min(card.modifiedAt ?? now, now)
    let created = min(card.createdAt ?? modified, modified)
    let id = try Identifier.random()
    let card = Card(card.draft, id: id, revision: 1, createdAt: created, modifiedAt: modified)
    guard attachments.isEmpty else {
      withAttachments.append((card, attachments))
      return id
    }
    cards.append(try vault.seal(card))
    return id
  }

  /// Writes the cards.
  ///
  /// - Returns: false if the vault has changed since that generation, or an identifier is in use; nothing is written then.
  func store(following generation: Int64) throws -> Bool {
    do {
      try vault.change { transaction, change in
        guard change.generation == generation + 1 else { throw ConcurrentChange() }
        for card in cards {
          try Task.checkCancellation()
          try vault.insert(card, transaction, &change)
        }
        for (card, attachments) in withAttachments {
          var card = card
          for attachment in attachments {
            try Task.checkCancellation()
            card.attachments.append(try store(attachment, transaction, &change))
          }
          try vault.insert(card, transaction, &change)
          change.attachments.append((card.id, card.attachments.map(IndexedAttachment.init)))
        }
        try Task.checkCancellation()
      }
      return true
    } catch is ConcurrentChange {
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
    try change.head.add(vault.reader.element(of: IndexedAttachment(stored)), kind: .attachment)
    return stored
  }

  /// Another process changed the vault since the scan.
  private struct ConcurrentChange: Error {}
}
