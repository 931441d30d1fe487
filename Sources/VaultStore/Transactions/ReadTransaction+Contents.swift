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
}
