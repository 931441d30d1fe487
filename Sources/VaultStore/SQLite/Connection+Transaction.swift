import CSQLite

enum TransactionKind: String {
  /// One snapshot for reading, which begins with the first statement.
  case read = "BEGIN DEFERRED"
  /// The only writer, from the start.
  case write = "BEGIN IMMEDIATE"
}

extension Connection {
  /// Runs `body` in one transaction: committed when it returns, rolled back when it or the commit throws.
  ///
  /// - Parameter timeout: how long to wait for another writer, beyond the busy timeout.
  /// - Throws: also `CancellationError` if the task is cancelled while it waits.
  func transaction<Value: ~Copyable>(
    _ kind: TransactionKind, waitingUpTo timeout: Duration = .zero, _ body: () throws -> Value
  ) throws -> Value {
    guard isOpen else { throw StoreError(.closed) }
    guard !isInTransaction else { throw StoreError(.nestedTransaction) }
    try begin(kind, waitingUpTo: timeout)
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

  /// Runs statements that SQLite ends early if the task is cancelled.
  ///
  /// - Throws: also `CancellationError`.
  func cancellable<Value>(_ body: () throws -> Value) throws -> Value {
    // SQLite looks after so many steps of its virtual machine, some microseconds each at most.
    unsafe sqlite3_progress_handler(try handle, 1_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    defer { if let handle = unsafe try? handle { unsafe sqlite3_progress_handler(handle, 0, nil, nil) } }
    do {
      return try body()
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  private func begin(_ kind: TransactionKind, waitingUpTo timeout: Duration) throws {
    let end = ContinuousClock.now + timeout
    while true {
      do {
        return try execute(kind.rawValue)
      } catch StoreError.busy where ContinuousClock.now < end {
        try Task.checkCancellation()
      }
    }
  }

  /// Ends the transaction, if SQLite has not already done so. Rolling back cannot fail in a way that leaves
  /// the transaction's changes: what was not committed is not in the file.
  private func rollBack() {
    guard isInTransaction else { return }
    try? execute("ROLLBACK")
  }
}
