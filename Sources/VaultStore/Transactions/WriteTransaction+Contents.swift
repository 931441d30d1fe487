public import Wire

extension WriteTransaction {
  /// Adds the sealed content of an attachment. Throws `StoreError.rowIDCollision` when another has the same number; the
  /// caller draws a new id.
  public func insertContent(_ id: Identifier, _ sealed: RawSpan) throws {
    try insert(
      "INSERT INTO content (number, id, sealed) VALUES (?1, ?2, ?3)", taken: .rowIDCollision, sealed,
      atMost: LengthLimit.content
    ) {
      statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(id, at: 2)
    }
    noteSealedChange()
  }

  /// Deletes the sealed content of an attachment with its renditions; the bytes in the file are overwritten.
  ///
  /// Throws `StoreError.recordNotFound` if there is none.
  public func deleteContent(_ id: Identifier) throws {
    try deleteRenditions(of: id)
    let changed = try change("DELETE FROM content WHERE number = ?1 AND id = ?2") { statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(id, at: 2)
    }
    guard changed == 1 else { throw StoreError(.recordNotFound) }
    noteSealedChange()
  }

  /// Keeps a sealed rendition of an attachment, in place of the one of the same size.
  public func putRendition(of id: Identifier, size: Int64, _ sealed: RawSpan) throws {
    let sql = "INSERT OR REPLACE INTO rendition (number, size, sealed) VALUES (?1, ?2, ?3)"
    try insert(sql, taken: .recordExists, sealed, atMost: LengthLimit.rendition) { statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(size, at: 2)
    }
  }

  /// Deletes every rendition of an attachment. There need not be any.
  public func deleteRenditions(of id: Identifier) throws {
    _ = try change("DELETE FROM rendition WHERE number = ?1") { try $0.bind(id.number, at: 1) }
  }

  /// Inserts a row whose third value is bytes that are too many to be copied.
  private func insert(
    _ sql: String, taken: StoreError.Kind, _ bytes: RawSpan, atMost limit: Int,
    _ bind: (Statement) throws -> Void
  ) throws {
    try unsafe bytes.withUnsafeBytes { bytes in
      try insert(sql, taken: taken) { statement in
        try bind(statement)
        try unsafe statement.bindWithoutCopying(bytes, at: 3, atMost: limit)
      }
    }
  }
}
