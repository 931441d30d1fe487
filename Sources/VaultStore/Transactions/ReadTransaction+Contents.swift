public import Wire

extension ReadTransaction {
  /// Calls `body` with the sealed content of an attachment, in SQLite's memory.
  ///
  /// - Returns: the value of `body`; nil if there is no content with this ID, or it is too long.
  public func content<Value>(_ id: Identifier, _ body: (RawSpan) throws -> Value) throws -> Value? {
    let sql = "SELECT id, sealed FROM content WHERE number = ?1"
    return try withStatement(sql, longest: LengthLimit.content, ifTooLong: nil) { row in
      try row.bind(id.number, at: 1)
      guard try row.step(), try row.identifier(0) == id else { return nil }
      let sealed = unsafe try row.borrowedBytes(1)
      return unsafe try body(sealed.bytes)
    }
  }

  /// Visits the number, id and size in bytes of every content, in the order of storage. Reads one page of each content.
  public func forEachContent(_ body: (_ number: Int64, _ id: Identifier, _ count: Int64) throws -> Void)
    throws
  {
    try withStatement("SELECT number, id, length(sealed) FROM content ORDER BY number") { row in
      while try row.step() { try body(row.integer(0), row.identifier(1), row.integer(2)) }
    }
  }

  /// Calls `body` with a sealed rendition of an attachment.
  ///
  /// - Parameter size: which one.
  /// - Returns: the value of `body`; nil if there is none, or it is too long.
  public func rendition<Value>(
    of id: Identifier, size: Int64, _ body: (RawSpan) throws -> Value
  ) throws -> Value? {
    let sql = "SELECT sealed FROM rendition WHERE number = ?1 AND size = ?2"
    return try withStatement(sql, longest: LengthLimit.rendition, ifTooLong: nil) { row in
      try row.bind(id.number, at: 1)
      try row.bind(size, at: 2)
      guard try row.step() else { return nil }
      let sealed = unsafe try row.borrowedBytes(0)
      return unsafe try body(sealed.bytes)
    }
  }

  /// Visits every card in the order of storage, which is that of their numbers. Nothing is copied per card.
  ///
  public func forEachCard(_ body: CardRowVisitor) throws {
    try withStatement("SELECT number, id, revision, sealed FROM card ORDER BY number") { row in
      while try row.step() { try visit(row, body) }
    }
  }

  /// Visits the cards with numbers in a range, in order, so that two threads with separate connections can share a scan.
  /// Numbers are random, so `.min ... -1` and `0 ... .max` are about half the cards each.
  public func forEachCard(in numbers: ClosedRange<Int64>, _ body: CardRowVisitor) throws {
    let sql = "SELECT number, id, revision, sealed FROM card WHERE number BETWEEN ?1 AND ?2 ORDER BY number"
    try withStatement(sql) { row in
      try row.bind(numbers.lowerBound, at: 1)
      try row.bind(numbers.upperBound, at: 2)
      while try row.step() { try visit(row, body) }
    }
  }

  /// Visits the cards with these numbers, in that order. Numbers without a card are skipped.
  public func forEachCard(numbers: some Sequence<Int64>, _ body: CardRowVisitor) throws {
    try withStatement("SELECT number, id, revision, sealed FROM card WHERE number = ?1") { row in
      for number in numbers {
        try row.bind(number, at: 1)
        if try row.step() { try visit(row, body) }
        row.rewind()
      }
    }
  }

  private func visit(_ row: Statement, _ body: CardRowVisitor) throws {
    let number = try row.integer(0)
    let id = try row.identifier(1)
    let revision = try row.integer(2)
    let sealed = unsafe try row.borrowedBytes(3, atMost: LengthLimit.card)
    unsafe try body(number, id, revision, sealed.bytes)
  }
}

/// Receives each card of a scan: number, identifier, revision, and the sealed record in place.
///
/// In a damaged file the number may differ from the ID's own; do not trust such a card.
/// The record's bytes belong to SQLite and are valid until the closure returns.
public typealias CardRowVisitor =
  (_ number: Int64, _ id: Identifier, _ revision: Int64, _ sealed: RawSpan) throws -> Void
