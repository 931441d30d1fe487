public import Wire

extension WriteTransaction {
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
