import CSQLite
import Glibc

extension VaultFile {
  /// Opens a vault for reading only: one whose file, directory or file system cannot be written, or is full. No file is
  /// created, and no lock taken.
  ///
  /// A log that a killed process left, and the migrations of an older vault, are applied to a copy in memory, which has
  /// nothing but sealed records. A log of another file is ignored.
  ///
  /// If a program writes to the file meanwhile, the next call throws `StoreError.changed`.
  /// - Throws: as ``openImmutable(at:)``; `StoreError.busy` if the file changes while it is copied.
  static func openReadOnly(
    at path: String, settings: ConnectionSettings, migrations: [Migration]
  ) throws -> VaultFile {
    let path = try FilePath(path).absolute
    let status = try FileStatus.ofRegularFile(at: path)
    let state = try ReadOnlyState(path)
    let connection = try readOnlyConnection(try resolvedPath(path), settings, migrations)
    guard try ReadOnlyState(path) == state else { throw StoreError(.busy) }
    return VaultFile(
      path: path, connection: connection, status: status, settings: settings,
      schema: try connection.schemaEntries(), kind: .readOnly(state))
  }

  private static func readOnlyConnection(
    _ path: String, _ settings: ConnectionSettings, _ migrations: [Migration]
  ) throws -> Connection {
    let connection = try Connection(immutable: path)
    try VaultHeader.check(connection.rawPrefix(VaultHeader.byteCount))
    if !StrayLog.isOwn(beside: path) {
      try connection.configure(settings)
      try connection.transaction(.read) { try connection.checkSchema(migrations) }
      if try connection.isMigrated(migrations) { return connection }
    }
    let copy = try Connection(copying: PageSource(path: path))
    try copy.configure(settings)
    try copy.transaction(.read) { try copy.checkSchema(migrations) }
    try copy.migrate(migrations)
    return copy
  }

  /// Whether a path is on a file system that is mounted read-only.
  static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
    var status = statvfs()
    return unsafe statvfs(path, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
  }
}

/// The state by which a write to a file that is open without locks is detected.
struct ReadOnlyState: Equatable {
  private let file: FileStatus.Content
  private let log: FileStatus.Content?

  init(_ path: String) throws {
    file = try FileStatus(path: path).content
    log = try? FileStatus(path: VaultFile.resolvedPath(path) + "-wal").content
  }
}

extension StoreError {
  /// Whether the vault could still be read: there is no room, or no right to write.
  public var preventsWritingOnly: Bool {
    [.readOnly, .diskFull, .permissionDenied].contains(kind)
  }
}

extension Connection {
  /// Makes a database in memory of the pages of a file and its log.
  fileprivate convenience init(copying source: PageSource) throws {
    try self.init(name: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    guard source.isLengthPossible else { throw StoreError(.corrupt) }
    let count = source.pageCount * source.pageSize
    guard let bytes = unsafe sqlite3_malloc64(sqlite3_uint64(count)) else { throw StoreError(.outOfMemory) }
    let image = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
    for number in 1...source.pageCount {
      guard let page = source.page(number) else { continue }
      unsafe image[((number - 1) * source.pageSize)..<(number * source.pageSize)].copyBytes(from: page)
    }
    // A database in memory has no log, and SQLite wants the header to say so.
    unsafe image[18] = 1
    unsafe image[19] = 1
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
    // SQLite frees the bytes when this fails, too.
    let code = unsafe sqlite3_deserialize(
      try handle, "main", bytes.assumingMemoryBound(to: UInt8.self), Int64(count), Int64(count), flags)
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}
