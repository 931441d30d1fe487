import CSQLite
import Glibc

extension StoreError {
  /// The error for an extended SQLite result code, with the system's error number where SQLite recorded one.
  ///
  /// Source: <https://www.sqlite.org/rescode.html>.
  init(code: Int32, systemError: Int32, file: StaticString = #fileID, line: Int = #line) {
    self.init(
      Kind(code: code, systemError: systemError),
      ErrorOrigin(sqliteCode: code, systemError: systemError, file: file, line: line))
  }

  /// The error for an extended result code that a connection just gave.
  ///
  /// A failed write may be a quota or a limit on file sizes, which count as a full disk. If a file cannot be opened, it may
  /// be that the log cannot be created, which SQLite reports as a log that cannot be read.
  init(code: Int32, connection: OpaquePointer?, file: StaticString = #fileID, line: Int = #line) {
    let reported = unsafe sqlite3_system_errno(connection)
    if code & 0xff == SQLITE_CANTOPEN, reported == ENOENT {
      self.init(
        .inputOutput, ErrorOrigin(sqliteCode: code, systemError: reported, file: file, line: line))
      return
    }
    guard code == SQLITE_IOERR | (3 << 8) else {  // SQLITE_IOERR_WRITE
      self.init(code: code, systemError: reported, file: file, line: line)
      return
    }
    let numbers = [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER].map { which in
      unsafe csqlite_last_errno(connection, which)
    }
    self.init(
      code: code, systemError: numbers.first(where: Kind.isDiskFull) ?? reported, file: file, line: line)
  }

  /// The error for a number that a system call left in `errno`.
  init(systemError: Int32, file: StaticString = #fileID, line: Int = #line) {
    self.init(
      Kind(systemError: systemError), ErrorOrigin(systemError: systemError, file: file, line: line))
  }
}

extension StoreError.Kind {
  fileprivate init(code: Int32, systemError: Int32) {
    switch code {
    case SQLITE_READONLY | (4 << 8): self = .changed  // SQLITE_READONLY_DBMOVED
    case SQLITE_READONLY | (6 << 8): self = .permissionDenied  // SQLITE_READONLY_DIRECTORY
    default:
      switch code & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
      case SQLITE_FULL: self = .diskFull
      case SQLITE_READONLY: self = systemError == EACCES ? .permissionDenied : .readOnly
      case SQLITE_PERM, SQLITE_AUTH: self = .permissionDenied
      case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
      case SQLITE_NOMEM: self = .outOfMemory
      case SQLITE_TOOBIG: self = .tooLarge
      case SQLITE_CANTOPEN: self.init(systemError: systemError)
      case SQLITE_IOERR: self = Self.isDiskFull(systemError) ? .diskFull : .inputOutput
      case SQLITE_PROTOCOL, SQLITE_NOLFS: self = .unsupportedFileSystem
      default: self = .internalFailure(code: code)
      }
    }
  }

  fileprivate static func isDiskFull(_ systemError: Int32) -> Bool {
    [ENOSPC, EDQUOT, EFBIG].contains(systemError)
  }

  fileprivate init(systemError: Int32) {
    switch systemError {
    case ENOENT: self = .notFound
    case EEXIST: self = .alreadyExists
    case ENOTDIR: self = .missingDirectory
    case EACCES, EPERM: self = .permissionDenied
    case EROFS: self = .readOnly
    case let number where Self.isDiskFull(number): self = .diskFull
    case ENAMETOOLONG, EINVAL, ELOOP: self = .invalidPath
    case EISDIR: self = .notARegularFile
    case ENOMEM: self = .outOfMemory
    default: self = .inputOutput
    }
  }
}
