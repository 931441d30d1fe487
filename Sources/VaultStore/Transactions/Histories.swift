public import Wire

/// The sealed history of a card.
public struct HistoryRow: Hashable, Sendable {
  /// The card's id.
  public var id: Identifier
  /// The history's own revision, which its sealed record is bound to.
  public var revision: Int64
  /// The sealed record.
  public var sealed: [UInt8]

  public init(id: Identifier, revision: Int64, sealed: [UInt8]) {
    (self.id, self.revision, self.sealed) = (id, revision, sealed)
  }
}

extension ReadTransaction {
  /// The history of the card with this id, or nil.
  public func history(_ id: Identifier) throws -> HistoryRow? {
    let sql = "SELECT id, revision, sealed FROM history WHERE number = ?1"
    return try withStatement(sql, longest: LengthLimit.history) { row in
      try row.bind(id.number, at: 1)
      guard try row.step(), try row.identifier(0) == id else { return nil }
      return HistoryRow(id: id, revision: try row.integer(1), sealed: try row.bytes(2))
    }
  }

  /// Whether there is a card or a history with the number of this id. Usually only the id's own has it.
  public func hasCardOrHistory(_ id: Identifier) throws -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM card WHERE number = ?1) OR EXISTS (SELECT 1 FROM history WHERE number = ?1)
      """
    return try withStatement(sql, longest: LengthLimit.history) { row in
      try row.bind(id.number, at: 1)
      return try row.step() && row.integer(0) == 1
    }
  }

  /// Visits every history with its number, in the order of storage.
  ///
  /// - Parameter first: the number to begin with.
  public func forEachHistory(
    from first: Int64 = .min, _ body: (_ number: Int64, _ row: HistoryRow) throws -> Void
  ) throws {
    let sql = "SELECT number, id, revision, sealed FROM history WHERE number >= ?1 ORDER BY number"
    try withStatement(sql, longest: LengthLimit.history) { row in
      try row.bind(first, at: 1)
      while try row.step() {
        let history = HistoryRow(
          id: try row.identifier(1), revision: try row.integer(2), sealed: try row.bytes(3))
        try body(row.integer(0), history)
      }
    }
  }
}

extension WriteTransaction {
  /// Stores a history and replaces the one of the same card.
  ///
  /// - Parameter isNew: whether there is none. Throws `StoreError.recordExists` if there is.
  public func putHistory(_ history: HistoryRow, isNew: Bool = false) throws {
    let verb = isNew ? "INSERT" : "INSERT OR REPLACE"
    let sql = "\(verb) INTO history (number, id, revision, sealed) VALUES (?1, ?2, ?3, ?4)"
    try insert(sql, taken: .recordExists) { statement in
      try statement.bind(history.id.number, at: 1)
      try statement.bind(history.id, at: 2)
      try statement.bind(history.revision, at: 3)
      try statement.bind(history.sealed, at: 4, atMost: LengthLimit.history)
    }
    noteSealedChange()
  }

  /// Deletes the history of a card. There need not be any.
  public func deleteHistory(_ id: Identifier) throws {
    _ = try change("DELETE FROM history WHERE number = ?1") { try $0.bind(id.number, at: 1) }
    noteSealedChange()
  }
}
