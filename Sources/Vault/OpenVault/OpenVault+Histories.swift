import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// Returns the history of a card; nil if it was never changed.
  func history(of id: Identifier, in transaction: borrowing ReadTransaction) throws -> CardHistory? {
    try transaction.history(id).map(reader.history)
  }

  /// Replaces the history of a card; nil removes it.
  ///
  /// - Parameter isNew: whether the card is known to have none.
  /// - Throws: `StoreError.tooLarge` if it has more than can be read again.
  func put(
    _ history: CardHistory?, of id: Identifier, isNew: Bool = false,
    _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    let old = isNew ? nil : try transaction.read.history(id)
    let before = try old.map { try reader.element(.history, id, $0.revision, $0.sealed) }
    guard let history else {
      guard let before else { return }
      try transaction.deleteHistory(id)
      return try change.head.remove(before, kind: .history)
    }
    guard history.versions?.isWithinLimits != false else { throw StoreError(.tooLarge) }
    if history.isNew, !change.allowsVersionVectors {
      try transaction.allowVersionVectors()
      change.allowsVersionVectors = true
    }
    if let versions = history.versions, versions.isPublisher, versions.changedAt == change.generation {
      change.hasUnpublished = true
    }
    let revision = try (old?.revision ?? 0).incremented()
    let sealed = try reader.seal(.history, id, revision, history.encoded())
    try transaction.putHistory(HistoryRow(id: id, revision: revision, sealed: sealed), isNew: old == nil)
    let after = try reader.element(.history, id, revision, sealed)
    guard let before else { return try change.head.add(after, kind: .history) }
    change.head.replace(before, with: after)
  }

  /// Records in a card's history that its content was replaced or deleted.
  ///
  /// - Parameters:
  ///   - new: the row that replaces it; nil for a deletion.
  ///   - edited: the card as it was, if what a person types in it was changed.
  ///   - deletedAt: in milliseconds since 1970 UTC; nil if the card was changed.
  func recordReplacement(
    of row: CardRow, by new: CardRow?, edited: Card? = nil, deletedAt: Int64?,
    _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    let before = try historyForWriting(of: row.id, in: transaction.read)
    var after = try before.adding(
      replaced: Identifier.tag(ofRecord: row.sealed), new.map { Identifier.tag(ofRecord: $0.sealed) },
      revision: new?.revision, deletedAt: deletedAt, write(change))
    if deletedAt == nil { after.earlier = try earlier(before, edited) }
    try put(after, of: row.id, transaction, &change)
    if let origin = before.origin { try recordResolution(of: before, origin.card, row, transaction, &change) }
  }

  /// What a card contained before, with the content that an edit replaces.
  private func earlier(_ history: CardHistory, _ edited: Card?) throws -> EarlierContents {
    let count = settings.number(.keptVersions)
    guard var edited, count > 0 else { return count > 0 ? history.earlier : EarlierContents() }
    edited.attachments = []
    let record = try CardRecord.encode(edited)
    return history.earlier.adding(
      record, upTo: count, since: edited.modifiedAt.milliseconds - Self.keptMilliseconds)
  }

  /// How long an earlier content is kept: a year before the next one.
  private static let keptMilliseconds: Int64 = 365 * 86_400_000

  /// Records in the history of a card that one of its conflict copies was changed or deleted in a synchronised vault.
  ///
  /// Without that, a replica that has the copy's content as the card's, because the card was deleted meanwhile, would keep it.
  ///
  /// - Parameters:
  ///   - copy: the history of the copy before.
  ///   - row: the copy's row before.
  private func recordResolution(
    of copy: CardHistory, _ card: Identifier, _ row: CardRow, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    guard let write = write(change) else { return }
    let before = try historyForWriting(of: card, in: transaction.read)
    guard before.versions != nil else { return }
    let after = try before.adding(
      resolved: copy.own.isEmpty ? [Identifier.tag(ofRecord: row.sealed)] : copy.own, write)
    try put(after, of: card, transaction, &change)
    change.markChanged(card, tags: [], to: [])
  }

  /// Records that a card was created in a synchronised vault, or restored in any.
  func recordCreation(
    of row: CardRow, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let before = try historyForWriting(of: row.id, in: transaction.read)
    let after = try before.adding(
      replaced: nil, Identifier.tag(ofRecord: row.sealed), revision: row.revision, deletedAt: nil,
      write(change))
    try put(after, of: row.id, transaction, &change)
  }

  /// Returns the history of a card that is about to be written.
  ///
  /// An unreadable one counts as none: a merge then keeps a copy rather than losing it. In a synchronised vault it is damage: a
  /// write with a number that was used before would be taken for the earlier one.
  private func historyForWriting(
    of id: Identifier, in transaction: borrowing ReadTransaction
  ) throws -> CardHistory {
    do {
      return try history(of: id, in: transaction) ?? CardHistory()
    } catch is CryptoError {
      guard replica == nil else {
        isComplete = false
        throw VaultError.damaged(id)
      }
      return CardHistory()
    }
  }

  private func write(_ change: VaultChange) -> ReplicaWrite? {
    replica.map { ReplicaWrite(replica: $0, generation: change.generation) }
  }
}

extension Identifier {
  /// Returns the first eight bytes of a sealed record's random salt, which no other record has.
  package static func tag(ofRecord sealed: [UInt8]) -> UInt64 {
    sealed.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
