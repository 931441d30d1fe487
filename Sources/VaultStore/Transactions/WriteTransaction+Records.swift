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

  /// The number of events kept; older ones are deleted.
  public static let keptEvents = 1_000

  // MARK: Slots

  /// Adds a slot. Throws `StoreError.recordExists` when there is one with its id, `.tooLarge` when there are 1,000.
  public func insertSlot(_ slot: SlotRow) throws {
    try checkKeepsRecords()
    guard try read.slots().count < LengthLimit.slots else { throw StoreError(.tooLarge) }
    let sql = """
      INSERT INTO slot (id, kind, algorithm, iterations, memory_kib, salt, sealed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """
    try insert(sql, taken: .recordExists) { try bind(slot, to: $0) }
    notePlainChange()
  }

  /// Replaces the slot `replaced`, as a new password does; the identifiers may differ.
  ///
  /// Throws `StoreError.recordNotFound` when there is none with that id, `.recordExists` when another slot
  /// has the new id.
  public func replaceSlot(_ replaced: Identifier, with slot: SlotRow) throws {
    try checkKeepsRecords()
    let sql = """
      UPDATE OR ABORT slot SET id = ?1, kind = ?2, algorithm = ?3, iterations = ?4, memory_kib = ?5, salt = ?6,
      sealed = ?7 WHERE id = ?8
      """
    if slot.id != replaced, try read.slots().contains(where: { $0.id == slot.id }) {
      throw StoreError(.recordExists)
    }
    let changed = try change(sql) { statement in
      try bind(slot, to: statement)
      try statement.bind(replaced, at: 8)
    }
    guard changed == 1 else { throw StoreError(.recordNotFound) }
    notePlainChange()
  }

  /// Deletes a slot. Throws `StoreError.recordNotFound`.
  public func deleteSlot(_ id: Identifier) throws {
    try checkKeepsRecords()
    let changed = try change("DELETE FROM slot WHERE id = ?1") { try $0.bind(id, at: 1) }
    guard changed == 1 else { throw StoreError(.recordNotFound) }
    notePlainChange()
  }

  private func bind(_ slot: SlotRow, to statement: Statement) throws {
    try statement.bind(slot.id, at: 1)
    try statement.bind(Int64(slot.kind), at: 2)
    try statement.bind(Int64(slot.algorithm), at: 3)
    try statement.bind(Int64(slot.iterations), at: 4)
    try statement.bind(Int64(slot.memoryKiB), at: 5)
    try statement.bind(slot.salt, at: 6)
    try statement.bind(slot.sealed, at: 7)
  }

  // MARK: Lockout

  /// Replaces the state of failed attempts (R11).
  public func setLockout(_ lockout: LockoutRow) throws {
    let sql = """
      INSERT OR REPLACE INTO lockout (id, failed_attempts, wait_milliseconds, started_wall, started_boot, boot_id)
      VALUES (1, ?1, ?2, ?3, ?4, ?5)
      """
    _ = try change(sql) { statement in
      try statement.bind(lockout.failedAttempts, at: 1)
      try statement.bind(lockout.waitMilliseconds, at: 2)
      try statement.bind(lockout.startedWall, at: 3)
      try statement.bind(lockout.startedBoot, at: 4)
      try statement.bind(lockout.bootID, at: 5)
    }
  }

  /// Removes the row of failed attempts. There need not be any.
  public func clearLockout() throws {
    _ = try change("DELETE FROM lockout") { _ in }
  }

  // MARK: Events

  /// Appends an event, and deletes those beyond the newest 1,000.
  public func appendEvent(_ event: EventRow) throws {
    _ = try change("INSERT INTO event (at, kind, method, reason) VALUES (?1, ?2, ?3, ?4)") { statement in
      try statement.bind(event.at, at: 1)
      try statement.bind(event.kind, at: 2)
      try statement.bind(event.method, at: 3)
      try statement.bind(event.reason, at: 4)
    }
    let trim = "DELETE FROM event WHERE number <= (SELECT max(number) FROM event) - ?1"
    _ = try change(trim) { try $0.bind(Int64(Self.keptEvents), at: 1) }
  }
}
