import CSQLite

/// The vault's file as a stranger sees it who has SQLite and no key: another connection that knows no rules.
package final class RawFile {
  package struct Failure: Error {
    let message: String
  }

  private var handle: OpaquePointer?

  package init(_ vault: TestVault) throws {
    guard sqlite3_open_v2(vault.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Failure(message: "not opened")
    }
    sqlite3_busy_timeout(handle, 5_000)
    try run("PRAGMA ignore_check_constraints = ON")
  }

  deinit {
    sqlite3_close(handle)
  }

  /// Runs statements.
  package func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// The rows of a query, each column as text; "NULL" for nothing.
  package func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        })
    }
    return rows
  }

  /// The first column of the first row.
  package func value(_ sql: String) throws -> String {
    guard let value = try rows(sql).first?.first else { throw Failure(message: "no row") }
    return value
  }

  /// Changes one byte of a blob, counted from its beginning.
  package func flip(_ column: String, of table: String, where condition: String, byte: Int) throws {
    let hex = Array(try value("SELECT hex(\(column)) FROM \(table) WHERE \(condition)"))
    guard byte * 2 + 1 < hex.count, let old = UInt8(String(hex[(byte * 2)...(byte * 2 + 1)]), radix: 16)
    else { throw Failure(message: "no such byte") }
    let digits = String(old ^ 1, radix: 16)
    let changed =
      String(hex[..<(byte * 2)]) + (digits.count == 1 ? "0" + digits : digits)
      + String(hex[(byte * 2 + 2)...])
    try run("UPDATE \(table) SET \(column) = x'\(changed)' WHERE \(condition)")
  }
}
