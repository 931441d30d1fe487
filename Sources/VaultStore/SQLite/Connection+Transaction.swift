enum TransactionKind: String {
  /// One snapshot for reading, which begins with the first statement.
  case read = "BEGIN DEFERRED"
  /// The only writer, from the start.
  case write = "BEGIN IMMEDIATE"
}

extension Connection {
  /// Runs `body` in one transaction: committed when it returns, rolled back when it or the commit throws.
  func transaction<Value: ~Copyable>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
    guard isOpen else { throw StoreError(.closed) }
    guard !isInTransaction else { throw StoreError(.nestedTransaction) }
    try execute(kind.rawValue)
    do {
      let value = try body()
      guard isInTransaction else { throw StoreError(.rolledBack) }
      try execute("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Ends the transaction, if SQLite has not already done so. Rolling back cannot fail in a way that leaves
  /// the transaction's changes: what was not committed is not in the file.
  private func rollBack() {
    guard isInTransaction else { return }
    try? execute("ROLLBACK")
  }
}
