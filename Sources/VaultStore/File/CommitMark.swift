import CSQLite

/// What tells the last commit of all processes from every other: two that are equal have no commit between them.
///
/// It is the head of the index of SQLite's write-ahead log. `PRAGMA data_version` says as much of the commits of others, but
/// takes a lock and gives it back.
public struct CommitMark: Hashable, Sendable {
  private let words: [UInt64]

  fileprivate init(_ words: [UInt64]) {
    self.words = words
  }
}

extension VaultFile {
  /// The mark of the last commit; nil where only reading the file tells whether there was one.
  ///
  /// Whoever reads in a transaction that begins after this was asked has read that commit too.
  ///
  /// Throws `StoreError.changed` when the file was replaced or removed, and what ``dataVersion()`` throws.
  public func commitMark() throws -> CommitMark? {
    try checkIdentity()
    guard kind == .shared else { return nil }
    var words = [UInt64](repeating: 0, count: Int(csqlite_mark_words))
    return unsafe csqlite_mark(connection.handle, &words) == 0 ? nil : CommitMark(words)
  }
}
