import Identifiers
import VaultSession
import VaultStore

/// The histories that a repaired vault keeps: those that open, of cards that lost nothing.
///
/// The history of a lost card would say that its content was here and is gone, so that no merge would bring it back. For the same
/// reason a card whose conflict copy was lost does not keep its own.
struct KeptHistories {
  private let reader: RecordReader
  private var opened: Set<Identifier> = []
  /// The cards that should be there, and are not.
  private var lost: Set<Identifier> = []

  /// Reads all histories of the damaged vault.
  ///
  /// - Parameter cards: those that are kept.
  /// - Throws: also `CancellationError`.
  init(of cards: Set<Identifier>, _ reader: RecordReader, _ transaction: borrowing ReadTransaction) throws {
    self.reader = reader
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
      if !lost.contains(row.id), hasCopies { try body(row, history) }
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
