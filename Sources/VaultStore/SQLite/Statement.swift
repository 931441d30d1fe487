import CSQLite
import Wire

/// A prepared statement: values are bound from 1, columns read from 0, as SQLite counts.
///
/// Columns are read with their type in the schema. A value of another type means that another program
/// has written the file, and is reported as `StoreError.corrupt`.
@safe
final class Statement {
  private let handle: OpaquePointer
  /// Set while a caller uses the statement, so that a nested use gets another.
  var isInUse = false

  /// Wraps a prepared statement and finalizes it later.
  init(handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  // MARK: Binding

  func bind(_ value: Int64, at index: Int32) throws {
    try check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  /// - Parameter limit: the most bytes; throws `StoreError.tooLarge` if there are more.
  func bind(_ value: [UInt8], at index: Int32, atMost limit: Int = LengthLimit.row) throws {
    guard value.count <= limit, let count = Int32(exactly: value.count) else { throw StoreError(.tooLarge) }
    try check(unsafe value.withUnsafeBytes { unsafe csqlite_bind_blob(handle, index, $0.baseAddress, count) })
  }

  /// Binds bytes that stay where they are until ``reset()``, which a caller of `withStatement` never outlives.
  ///
  /// - Parameter limit: the most bytes; throws `StoreError.tooLarge` if there are more.
  func bindWithoutCopying(_ value: UnsafeRawBufferPointer, at index: Int32, atMost limit: Int) throws {
    guard value.count <= limit, let count = Int32(exactly: value.count) else { throw StoreError(.tooLarge) }
    try check(unsafe csqlite_bind_blob_in_place(handle, index, value.baseAddress, count))
  }

  func bind(_ value: Identifier, at index: Int32) throws {
    let words = (value.high.bigEndian, value.low.bigEndian)
    try check(
      unsafe withUnsafeBytes(of: words) { unsafe csqlite_bind_blob(handle, index, $0.baseAddress, 16) })
  }

  func bind(_ value: String, at index: Int32) throws {
    var text = value
    try check(
      text.withUTF8 { utf8 in
        guard let count = Int32(exactly: utf8.count) else { return SQLITE_TOOBIG }
        return unsafe csqlite_bind_text(handle, index, utf8.baseAddress, count)
      })
  }

  func bind(_ value: String?, at index: Int32) throws {
    guard let value else { return try check(unsafe sqlite3_bind_null(handle, index)) }
    try bind(value, at: index)
  }

  // MARK: Running

  /// Moves to the next row; returns false after the last.
  func step(file: StaticString = #fileID, line: Int = #line) throws -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case SQLITE_TOOBIG: throw ValueTooLong()
    case let code: throw error(code, file, line)
    }
  }

  /// Runs a statement that returns no rows.
  func run(file: StaticString = #fileID, line: Int = #line) throws {
    while try step(file: file, line: line) {}
  }

  /// Resets the statement and clears its bindings. `step` has already reported any error.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Resets the statement and keeps its bindings.
  func rewind() {
    unsafe sqlite3_reset(handle)
  }

  // MARK: Columns

  func integer(_ column: Int32) throws -> Int64 {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw StoreError(.corrupt) }
    return unsafe sqlite3_column_int64(handle, column)
  }

  /// An integer that the schema's meaning, though not its type, limits to fewer bits.
  func integer<Value: FixedWidthInteger>(_ column: Int32, as type: Value.Type) throws -> Value {
    guard let value = Value(exactly: try integer(column)) else { throw StoreError(.corrupt) }
    return value
  }

  /// - Parameter limit: the most bytes; throws ``ValueTooLong`` if there are more.
  func text(_ column: Int32, atMost limit: Int = LengthLimit.row) throws -> String {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { throw StoreError(.corrupt) }
    try checkLength(column, limit)
    let start = unsafe sqlite3_column_text(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    let bytes = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw StoreError(.corrupt) }
    return text
  }

  func optionalText(_ column: Int32, atMost limit: Int = LengthLimit.row) throws -> String? {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : try text(column, atMost: limit)
  }

  func bytes(_ column: Int32, atMost limit: Int = LengthLimit.row) throws -> [UInt8] {
    unsafe [UInt8](try borrowedBytes(column, atMost: limit))
  }

  func identifier(_ column: Int32) throws -> Identifier {
    let bytes = unsafe try borrowedBytes(column)
    guard bytes.count == 16 else { throw StoreError(.corrupt) }
    return unsafe Identifier(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// A blob where SQLite holds it: valid until the next `step`, `rewind` or `reset`.
  func borrowedBytes(
    _ column: Int32, atMost limit: Int = LengthLimit.row
  ) throws -> UnsafeRawBufferPointer {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { throw StoreError(.corrupt) }
    try checkLength(column, limit)
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    guard unsafe start != nil || count == 0 else { throw StoreError(.outOfMemory) }
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  private func checkLength(_ column: Int32, _ limit: Int) throws {
    guard Int(unsafe sqlite3_column_bytes(handle, column)) <= limit else { throw ValueTooLong() }
  }

  // MARK: Errors

  private func check(_ code: Int32, file: StaticString = #fileID, line: Int = #line) throws {
    guard code == SQLITE_OK else { throw error(code, file, line) }
  }

  private func error(_ code: Int32, _ file: StaticString, _ line: Int) -> StoreError {
    let connection = unsafe sqlite3_db_handle(handle)
    let extended = unsafe sqlite3_extended_errcode(connection)
    let cause = extended & 0xff == code & 0xff ? extended : code
    return unsafe StoreError(code: cause, connection: connection, file: file, line: line)
  }
}
