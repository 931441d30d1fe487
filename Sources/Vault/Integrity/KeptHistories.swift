import VaultStore
import Wire

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
