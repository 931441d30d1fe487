public import Wire

extension WriteTransaction {
  // MARK: Cards

  /// Adds a card. Throws `StoreError.rowIDCollision` when another card has the same number; the caller draws a
  /// new id.
  public func insertCard(_ card: CardRow) throws {
    let sql = "INSERT INTO card (number, id, revision, sealed) VALUES (?1, ?2, ?3, ?4)"
    try insert(sql, taken: .rowIDCollision) { statement in
      try statement.bind(card.id.number, at: 1)
      try statement.bind(card.id, at: 2)
      try statement.bind(card.revision, at: 3)
      try statement.bind(card.sealed, at: 4, atMost: LengthLimit.card)
    }
    noteSealedChange()
  }

  /// Replaces the record and revision of the card with the same id, if its revision is `expected`.
  ///
  /// Throws `StoreError.recordNotFound`, or `.conflict` when the revision is another.
  public func updateCard(_ card: CardRow, expected: Int64) throws {
    let sql = "UPDATE card SET revision = ?3, sealed = ?4 WHERE number = ?1 AND id = ?2 AND revision = ?5"
    let changed = try change(sql) { statement in
      try statement.bind(card.id.number, at: 1)
      try statement.bind(card.id, at: 2)
      try statement.bind(card.revision, at: 3)
      try statement.bind(card.sealed, at: 4, atMost: LengthLimit.card)
      try statement.bind(expected, at: 5)
    }
    guard changed == 1 else { throw StoreError(try read.card(card.id) == nil ? .recordNotFound : .conflict) }
    noteSealedChange()
  }

  /// Deletes the card if its revision is `expected`; its bytes in the file are overwritten.
  ///
  /// Throws `StoreError.recordNotFound`, or `.conflict` when the revision is another.
  public func deleteCard(_ id: Identifier, expected: Int64) throws {
    let changed = try change("DELETE FROM card WHERE number = ?1 AND id = ?2 AND revision = ?3") {
      statement in
      try statement.bind(id.number, at: 1)
      try statement.bind(id, at: 2)
      try statement.bind(expected, at: 3)
    }
    guard changed == 1 else { throw StoreError(try read.card(id) == nil ? .recordNotFound : .conflict) }
    noteSealedChange()
  }

  // MARK: Documents

  /// Adds a document. Throws `StoreError.recordExists` when there is one with its name.
  public func insertDocument(_ document: DocumentRow) throws {
    let sql = "INSERT INTO document (name, revision, sealed) VALUES (?1, ?2, ?3)"
    try insert(sql, taken: .recordExists) { statement in
      try statement.bind(document.name, at: 1)
      try statement.bind(document.revision, at: 2)
      try statement.bind(document.sealed, at: 3, atMost: LengthLimit.document)
    }
    noteSealedChange()
  }

  /// Replaces the record and revision of the document with the same name, if its revision is `expected`.
  ///
  /// Throws `StoreError.recordNotFound`, or `.conflict` when the revision is another.
  public func updateDocument(_ document: DocumentRow, expected: Int64) throws {
    let sql = "UPDATE document SET revision = ?2, sealed = ?3 WHERE name = ?1 AND revision = ?4"
    let changed = try change(sql) { statement in
      try statement.bind(document.name, at: 1)
      try statement.bind(document.revision, at: 2)
      try statement.bind(document.sealed, at: 3, atMost: LengthLimit.document)
      try statement.bind(expected, at: 4)
    }
    guard changed == 1 else {
      throw StoreError(try read.document(document.name) == nil ? .recordNotFound : .conflict)
    }
    noteSealedChange()
  }

  /// Deletes the document if its revision is `expected`.
  ///
  /// Throws `StoreError.recordNotFound`, or `.conflict` when the revision is another.
  public func deleteDocument(_ name: String, expected: Int64) throws {
    let changed = try change("DELETE FROM document WHERE name = ?1 AND revision = ?2") { statement in
      try statement.bind(name, at: 1)
      try statement.bind(expected, at: 2)
    }
    guard changed == 1 else { throw StoreError(try read.document(name) == nil ? .recordNotFound : .conflict) }
    noteSealedChange()
  }
}
