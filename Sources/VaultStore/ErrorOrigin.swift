/// The source location of an error, the system's codes, and the other process involved. Holds no value, path or secret.
///
/// Two of them are always equal: errors are compared by what happened, wherever it did.
public struct ErrorOrigin: Sendable, Hashable {
  /// The extended result code of SQLite.
  public let sqliteCode: Int32?
  /// The system's error number (errno(3)).
  public let systemError: Int32?
  /// The module and the file, such as `VaultStore/FileLock.swift`.
  public let file: StaticString
  public let line: Int
  /// The process that was waited for in vain.
  public var holder: LockHolder?

  public init(sqliteCode: Int32? = nil, systemError: Int32? = nil, file: StaticString, line: Int) {
    (self.sqliteCode, self.systemError) = (sqliteCode, systemError)
    (self.file, self.line) = (file, line)
  }

  public static func == (left: ErrorOrigin, right: ErrorOrigin) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
