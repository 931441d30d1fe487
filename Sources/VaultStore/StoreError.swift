/// An error of the vault file.
///
/// The kinds are stable: callers switch over them, and the protocol's error codes 1001–1010 are made from
/// them. No kind carries a path, a name or a byte of content. Errors of one kind are equal, wherever they were made.
public struct StoreError: Error, Hashable, Sendable {
  public let kind: Kind
  /// The source location, for the error log.
  public private(set) var origin: ErrorOrigin

  public init(_ kind: Kind, file: StaticString = #fileID, line: Int = #line) {
    self.init(kind, ErrorOrigin(file: file, line: line))
  }

  /// An error `busy` that names the process which was waited for, if it is known.
  func held(by holder: @autoclosure () -> LockHolder?) -> StoreError {
    guard kind == .busy, origin.holder == nil else { return self }
    var error = self
    error.origin.holder = holder()
    return error
  }

  init(_ kind: Kind, _ origin: ErrorOrigin) {
    (self.kind, self.origin) = (kind, origin)
  }

  public enum Kind: Hashable, Sendable {
    // MARK: The file

    /// There is no file under the path, nor, perhaps, its directory.
    case notFound
    /// The path of the vault to be created exists.
    case alreadyExists
    /// The file is not a QuickVault vault. It was left as it was.
    case notAVault
    /// A newer version of the program made or migrated the vault. It was left as it was.
    case newerVersion
    /// The path leads to a directory, a FIFO, a socket or a device.
    case notARegularFile
    /// The path is empty, holds a NUL, or is too long: over 480 bytes once absolute, as SQLite's own limit is
    /// 512.
    case invalidPath
    /// A directory of the path is missing and cannot be made, because something else has its name.
    case missingDirectory
    /// The system refuses to let this user read or write the file or its directory.
    case permissionDenied
    /// Other users can replace the file or add others beside it, because they can write to its directory.
    case writableByOthers
    /// The file or its file system is read-only.
    case readOnly
    /// There is no room left on the file system, or none within a quota or size limit.
    case diskFull
    /// Another process held the vault for longer than the busy timeout.
    case busy
    /// The system could not read or write, for another reason.
    case inputOutput
    /// The file system cannot keep a write-ahead log, because it lacks locks or shared memory.
    case unsupportedFileSystem
    /// The file is damaged: cut off, overwritten, or not in the shape its migrations gave it.
    case corrupt
    /// The file was replaced or removed since it was opened. Close it and open it again.
    case changed

    // MARK: Rows

    /// There is no row with this id or name.
    case recordNotFound
    /// A row with this id or name is there already.
    case recordExists
    /// The row has another revision, or the vault another generation, than the caller expected.
    case conflict
    /// Another card has the first eight bytes of this id. Draw a new id.
    case rowIDCollision
    /// The value is longer than the file may hold, or there are too many rows.
    case tooLarge

    // MARK: Use

    /// The file was closed.
    case closed
    /// A transaction is running on this connection; another cannot begin, nor can the file be closed.
    case nestedTransaction
    /// SQLite rolled the transaction back after an earlier error, which the caller caught; no more can be done
    /// in it.
    case rolledBack
    /// Cards or documents were written without a new head, so the transaction was rolled back.
    case headNotAdvanced
    /// The system has no memory left.
    case outOfMemory
    /// SQLite refused for a reason that no input should bring about; `code` is its extended result code.
    case internalFailure(code: Int32)
  }
}

/// Errors to compare with. Throw `StoreError(.corrupt)` instead, which knows its place.
extension StoreError {
  public static var notFound: StoreError { StoreError(.notFound) }
  public static var alreadyExists: StoreError { StoreError(.alreadyExists) }
  public static var notAVault: StoreError { StoreError(.notAVault) }
  public static var newerVersion: StoreError { StoreError(.newerVersion) }
  public static var notARegularFile: StoreError { StoreError(.notARegularFile) }
  public static var invalidPath: StoreError { StoreError(.invalidPath) }
  public static var missingDirectory: StoreError { StoreError(.missingDirectory) }
  public static var permissionDenied: StoreError { StoreError(.permissionDenied) }
  public static var writableByOthers: StoreError { StoreError(.writableByOthers) }
  public static var readOnly: StoreError { StoreError(.readOnly) }
  public static var diskFull: StoreError { StoreError(.diskFull) }
  public static var busy: StoreError { StoreError(.busy) }
  public static var inputOutput: StoreError { StoreError(.inputOutput) }
  public static var unsupportedFileSystem: StoreError { StoreError(.unsupportedFileSystem) }
  public static var corrupt: StoreError { StoreError(.corrupt) }
  public static var changed: StoreError { StoreError(.changed) }
  public static var recordNotFound: StoreError { StoreError(.recordNotFound) }
  public static var recordExists: StoreError { StoreError(.recordExists) }
  public static var conflict: StoreError { StoreError(.conflict) }
  public static var rowIDCollision: StoreError { StoreError(.rowIDCollision) }
  public static var tooLarge: StoreError { StoreError(.tooLarge) }
  public static var closed: StoreError { StoreError(.closed) }
  public static var nestedTransaction: StoreError { StoreError(.nestedTransaction) }
  public static var rolledBack: StoreError { StoreError(.rolledBack) }
  public static var headNotAdvanced: StoreError { StoreError(.headNotAdvanced) }
  public static var outOfMemory: StoreError { StoreError(.outOfMemory) }

  public static func internalFailure(code: Int32) -> StoreError { StoreError(.internalFailure(code: code)) }

  /// Matches an error of the same kind, as in `catch StoreError.corrupt`.
  public static func ~= (pattern: StoreError, error: any Error) -> Bool { error as? StoreError == pattern }
}

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
