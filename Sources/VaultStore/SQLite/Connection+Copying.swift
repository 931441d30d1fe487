import CSQLite

extension Connection {
  /// The number of pages between two reports: one mebibyte at the default page size.
  private static let pagesInStep: Int32 = 256

  /// Opens a file that nobody writes to, without a lock, log or journal.
  convenience init(immutable path: String) throws {
    try self.init(
      name: "file:\(Self.escaped(path))?mode=ro&immutable=1", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  /// Opens a private file for writing it once, without a lock, journal or flush.
  convenience init(private path: String) throws {
    try self.init(
      name: "file:\(Self.escaped(path))?mode=rw&nolock=1", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI)
    _ = try pragma("journal_mode = OFF") { _ in }
    _ = try pragma("synchronous = OFF") { _ in }
  }

  /// Copies every page into another database, by SQLite's online backup (<https://www.sqlite.org/backup.html>).
  ///
  /// Inside a transaction that has read something, all pages are of that one moment, whatever others write.
  ///
  /// - Parameter report: receives the number of pages left, and of all pages.
  func copyPages(to target: Connection, _ report: (_ left: Int, _ total: Int) throws -> Void) throws {
    let theirs = unsafe try target.handle
    guard let backup = unsafe sqlite3_backup_init(theirs, "main", try handle, "main") else {
      throw target.lastError(unsafe sqlite3_errcode(theirs))
    }
    do {
      var code = SQLITE_OK
      while code == SQLITE_OK {
        code = unsafe sqlite3_backup_step(backup, Self.pagesInStep)
        try report(
          Int(unsafe sqlite3_backup_remaining(backup)), Int(unsafe sqlite3_backup_pagecount(backup)))
      }
      guard code == SQLITE_DONE else { throw StoreError(code: code, systemError: 0) }
    } catch {
      unsafe sqlite3_backup_finish(backup)
      throw error
    }
    let code = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw target.lastError(code) }
  }

  /// Returns a path as a URI (RFC 3986), with percent-encoding.
  private static func escaped(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~".utf8)
    return path.utf8.map { byte in
      guard !plain.contains(byte) else { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
