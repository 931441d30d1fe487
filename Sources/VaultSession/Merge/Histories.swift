import Identifiers
import VaultCrypto
import VaultModel
import VaultStore

extension OpenVault {
  /// What became of a card before; nil where it was never changed.
  func history(of id: Identifier, in transaction: borrowing ReadTransaction) throws -> CardHistory? {
    guard let row = try transaction.history(id) else { return nil }
    return try reader.history(row)
  }

  /// Writes what became of a card, in place of what was known; nil for nothing.
  func put(
    _ history: CardHistory?, of id: Identifier, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    let old = try transaction.read.history(id)
    let before = try old.map { try element(.history, id, $0.revision, $0.sealed) }
    guard let history else {
      guard let before else { return }
      try transaction.deleteHistory(id)
      return try change.head.remove(before, kind: .history)
    }
    let (revision, overflow) = (old?.revision ?? 0).addingReportingOverflow(1)
    guard !overflow else { throw VaultError.failed }
    let sealed = try sealRecord(.history, id, revision, history.encoded())
    try transaction.putHistory(HistoryRow(id: id, revision: revision, sealed: sealed))
    let after = try element(.history, id, revision, sealed)
    guard let before else { return try change.head.add(after, kind: .history) }
    change.head.replace(before, with: after)
  }

  /// Notes that a card's content gives way to a new one, or is deleted.
  ///
  /// - Parameter deletion: when it is deleted; nil where it is changed.
  func noteGivingWay(
    of row: CardRow, to deletion: Int64?, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    let id = row.id
    // What cannot be read of the past is unknown, and then a copy is rather kept than lost.
    let before = (try? history(of: id, in: transaction.read)) ?? CardHistory()
    let after = before.followed(by: deletion, recordTag: Identifier.tag(ofRecord: row.sealed))
    try put(after, of: id, transaction, &change)
  }
}

extension CardReader {
  /// Opens a history.
  func history(_ row: HistoryRow) throws -> CardHistory {
    try row.sealed.withRawSpan { (span) throws in try open(.history, row.id, row.revision, span) }
    defer { buffer.wipe() }
    let bytes = buffer.withContent { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
    return try CardHistory(decoding: bytes)
  }

  /// What every history of the file adds to the record hash.
  ///
  /// - Parameter opens: whether each is opened besides; what does not open is told.
  func gatherHistories(
    _ transaction: borrowing ReadTransaction, opening opens: Bool
  ) throws -> (hash: RecordHash, allOpen: Bool) {
    var (hash, allOpen) = (RecordHash(), true)
    try transaction.forEachHistory { number, row in
      if number != row.id.number { allOpen = false }
      if let element = try? element(.history, row.id, row.revision, row.sealed) {
        hash.add(element)
      }
      if opens, (try? history(row)) == nil { allOpen = false }
    }
    return (hash, allOpen)
  }
}

extension Identifier {
  /// The first eight bytes of a sealed record's random salt, which no other record has.
  static func tag(ofRecord sealed: [UInt8]) -> UInt64 {
    sealed.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
