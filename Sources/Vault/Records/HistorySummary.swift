package import VaultCrypto
package import VaultStore

/// What is to be known of all histories in the file.
package struct HistorySummary: Sendable {
  package private(set) var hash = RecordHash()
  /// Whether every history was in its place, and opened.
  package private(set) var allOpen = true

  package init() {}

  fileprivate mutating func add(_ row: HistoryRow, at number: Int64, _ reader: RecordReader) {
    if number != row.id.number { allOpen = false }
    if let element = try? reader.element(.history, row.id, row.revision, row.sealed) { hash.add(element) }
  }

  fileprivate mutating func open(_ row: HistoryRow, _ reader: RecordReader) {
    if (try? reader.history(row)) == nil { allOpen = false }
  }
}

extension RecordReader {
  /// Visits every history.
  ///
  /// - Parameter opens: whether each is opened.
  /// - Throws: also `CancellationError` if they are opened.
  package func visitHistories(
    _ transaction: borrowing ReadTransaction, opening opens: Bool
  ) throws -> HistorySummary {
    var summary = HistorySummary()
    try transaction.forEachHistory { number, row in
      summary.add(row, at: number, self)
      guard opens else { return }
      try Task.checkCancellation()
      summary.open(row, self)
    }
    return summary
  }

  /// Opens histories, in the order of their numbers, until that has taken some milliseconds.
  ///
  /// - Parameter first: the number to begin with.
  /// - Returns: the number from which to go on; nil if that was the last history.
  package func visitSomeHistories(_ summary: inout HistorySummary, from first: Int64) throws -> Int64? {
    try untilPause { transaction, begin in
      try transaction.forEachHistory(from: first) { number, row in
        try begin(number, 4 * row.sealed.count + 1024)
        summary.add(row, at: number, self)
        summary.open(row, self)
      }
    }
  }
}
