import CSQLite

/// SQLite itself.
public enum SQLiteLibrary {
  /// The version that is running, such as `3.40.1`.
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
