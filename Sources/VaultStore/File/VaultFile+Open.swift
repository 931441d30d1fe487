import CSQLite
import Glibc

extension VaultFile {
  /// Opens the vault at a path, and migrates it if it is older.
  ///
  /// The first 100 bytes are checked before anything else: a file that is not a vault, or one of a newer version, is not
  /// changed, not even its modification time. Symbolic links are followed. Permissions of others are removed if the system
  /// allows it. The log of another file, which this one replaced, is renamed to `-wal-stray`, and a further one to
  /// `-wal-stray-2`. If it is the log of a copy that was changed independently, the vault with that log is saved as `-stray`.
  ///
  /// A vault that can be read and not written is opened for reading: see ``isReadOnly``.
  ///
  /// - Parameter path: absolute, or relative to the working directory; `~` is not expanded.
  /// - Throws: `StoreError.notFound`, `.missingDirectory`, `.invalidPath`, `.notARegularFile`, `.notAVault`,
  ///   `.newerVersion`, `.permissionDenied`, `.writableByOthers`, `.corrupt`, `.changed` (replaced meanwhile), `.busy`
  ///   (also while another process has a file open that this one replaced), `.inputOutput`, `.unsupportedFileSystem`.
  public static func open(at path: String) throws -> VaultFile {
    do {
      return try open(at: path, settings: ConnectionSettings(), migrations: Schema.migrations)
    } catch let error as StoreError
      where error.preventsWritingOnly || error == .writableByOthers && isOnReadOnlyFileSystem(path)
    {
      // Another connection of this process would lose its locks.
      guard try !FileUse.isOpenInThisProcess(FileStatus(path: path).identity) else { throw error }
      return try openReadOnly(at: path, settings: ConnectionSettings(), migrations: Schema.migrations)
    } catch let error as StoreError {
      throw error.held(by: LockHolder.ofVault((try? Self.resolvedPath(FilePath(path).absolute)) ?? path))
    }
  }

  /// Opens with other settings or migrations, as tests do, or with any log.
  ///
  /// - Parameter appliesAnyLog: whether a log is applied whichever file it belongs to, as in a private copy of both.
  static func open(
    at path: String, settings: ConnectionSettings, migrations: [Migration], appliesAnyLog: Bool = false
  ) throws -> VaultFile {
    let path = try FilePath(path).absolute
    let status = try FileStatus.ofRegularFile(at: path)
    try FileAccess.requireOwnDirectory(ofFileAt: Self.resolvedPath(path))
    if !appliesAnyLog { try StrayLog.moveAside(beside: path) }
    let connection = try connect(to: path, status)
    try VaultHeader.check(connection.rawPrefix(VaultHeader.byteCount))
    guard try !connection.isReadOnly else { throw accessError(W_OK, to: path, else: .readOnly) }
    let resolvedPath = connection.resolvedPath ?? path
    do {
      try prepare(connection, resolvedPath, settings, migrations)
      FileAccess.denyAccessToOthers(resolvedPath)
      return VaultFile(
        path: path, connection: connection, status: status, settings: settings,
        schema: try connection.schemaEntries(), log: try OpenLog(beside: resolvedPath))
    } catch {
      // The index may have led to frames that the log does not have, which looks like damage.
      let isMixed = connection.lastCommit != nil && !OpenLog.hasLastFrame(connection)
      leave(connection, resolvedPath)
      throw isMixed ? StoreError(.changed) : error
    }
  }

  /// Keeps a connection that failed to open a vault from deleting, when it is closed, a log that was put beside the file
  /// meanwhile, and saves what the connection's own log holds if that has lost its name.
  private static func leave(_ connection: Connection, _ path: String) {
    if let mark = connection.lastCommit, mark.frameCount > 0, (try? OpenLog(beside: path)) == nil,
      let lock = try? FileLock(directory: FilePath.directory(of: path), milliseconds: closingTimeout)
    {
      try? ReplacedFile(connection: connection, path: path).save()
      withExtendedLifetime(lock) {}
    }
    guard let log = try? FileStatus(path: path + "-wal"), log.size > 0 else { return }
    try? connection.setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
  }

  /// Opens another connection to the same file, for another thread. Faster than ``open(at:)``, which made all checks.
  ///
  /// - Throws: `StoreError.changed` if the path leads to another file by now, or its tables were changed; `.busy`,
  ///   `.inputOutput`; `.corrupt`, also for a salvaged file.
  public func duplicate() throws -> VaultFile {
    guard !isSalvaged else { throw StoreError(.corrupt) }
    try checkIdentity()
    switch kind {
    case .shared: break
    case .readOnly: return try Self.openReadOnly(at: path, settings: settings, migrations: Schema.migrations)
    case .unwritten, .salvaged: return try Self.openImmutable(at: path)
    }
    let status = try FileStatus(path: path)
    let duplicate = try Self.connect(to: path, status)
    // It scans, and a scan meets hardly a page twice, unless the file is small.
    var settings = settings
    settings.pageCacheKiB = min(settings.pageCacheKiB, 512)
    try duplicate.configure(settings)
    let schema = try duplicate.transaction(.read) {
      let entries = try duplicate.schemaEntries()
      if entries != self.schema, (try? duplicate.checkSchema(Schema.migrations)) == nil {
        throw StoreError(.changed)
      }
      return entries
    }
    let duplicateLog = try OpenLog(beside: duplicate.resolvedPath ?? path)
    guard log?.isSame(as: duplicateLog) == true else { throw StoreError(.changed) }
    let file = VaultFile(
      path: path, connection: duplicate, status: status, settings: settings, schema: schema, log: duplicateLog
    )
    // The first scan is not to wait for its statements to be prepared.
    try file.read { transaction in
      _ = try transaction.vault()
      try transaction.forEachCard(in: 0...0) { _, _, _, _ in }
    }
    return file
  }

  /// Connects to the very file that `status` describes.
  private static func connect(to path: String, _ status: FileStatus) throws -> Connection {
    try StrayLog.moveOthersAside(beside: resolvedPath(path))
    let connection: Connection
    do {
      connection = try Connection(path: path)
    } catch StoreError.inputOutput {
      throw accessError(R_OK, to: path, else: .inputOutput)
    }
    guard try !connection.hasMoved, try FileStatus(path: path).identity == status.identity else {
      throw StoreError(.changed)
    }
    return connection
  }

  /// Sets the connection up and checks all that can be checked without writing, then migrates.
  private static func prepare(
    _ connection: Connection, _ path: String, _ settings: ConnectionSettings, _ migrations: [Migration]
  ) throws {
    let hasLog = ((try? FileStatus(path: path + "-wal").size) ?? 0) > 0
    // Until it is known that the vault is of this version, closing must not move a newer program's log into
    // the file.
    if hasLog { try connection.setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
    do {
      try connection.configure(settings)
      try connection.transaction(.read) { try connection.checkSchema(migrations) }
    } catch StoreError.internalFailure(code: SQLITE_ERROR) {
      // SQLite cannot make sense of the tables' own statements.
      throw StoreError(.corrupt)
    } catch StoreError.inputOutput {
      // It may be the log and the shared memory beside the file that could not be made.
      throw accessError(W_OK, to: FilePath.directory(of: path), else: .inputOutput)
    }
    if hasLog { try connection.setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false) }
    try connection.useWriteAheadLog()
    try connection.migrate(migrations)
  }

  /// Returns why the system denies an access (`R_OK`, `W_OK`); `other` if it allows it.
  private static func accessError(
    _ access: Int32, to path: String, else other: StoreError.Kind, file: StaticString = #fileID,
    line: Int = #line
  ) -> StoreError {
    unsafe faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0
      ? StoreError(other, file: file, line: line)
      : StoreError(systemError: errno, file: file, line: line)
  }
}

/// The first 100 bytes of the file, which show whether it is a vault.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, "The Database Header".
enum VaultHeader {
  /// The size of the header in bytes.
  static let byteCount: Int32 = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Throws `StoreError.notAVault` or `.newerVersion` unless the bytes begin a vault that this program knows; `.corrupt` for
  /// an unknown write version, with which SQLite would open the file read-only.
  ///
  /// `bytes` is nil for a file that is shorter than a header.
  static func check(_ bytes: [UInt8]?) throws {
    guard let bytes, bytes.count == Int(byteCount), bytes.starts(with: magic) else {
      throw StoreError(.notAVault)
    }
    guard word(bytes[68..<72]) == Schema.applicationID else { throw StoreError(.notAVault) }
    let version = word(bytes[60..<64])
    guard version != 0 else { throw StoreError(.notAVault) }
    guard version <= Schema.formatVersion else { throw StoreError(.newerVersion) }
    guard bytes[18] <= 2, bytes[19] <= 2 else { throw StoreError(.corrupt) }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
