import Glibc

/// A temporary copy of a vault file and its log, which can be opened and migrated; the original is only read. It is deleted
/// with the object.
public final class PrivateCopy: Sendable {
  private let lock: FileLock
  private let file: UnfinishedFile

  /// Copies a file that no connection of this process has open, after checking its header.
  ///
  /// - Parameters:
  ///   - directory: the directory of the copy.
  ///   - report: receives the bytes copied and the total, after each mebibyte. If it throws, copying ends.
  /// - Throws: what `report` throws; `StoreError.notFound`, `.notARegularFile`, `.notAVault`, `.newerVersion`,
  ///   `.permissionDenied`, `.diskFull`, `.readOnly`, `.busy`, `.inputOutput`. Nothing is left behind then.
  public init(
    of path: String, in directory: String, _ report: (_ done: Int64, _ total: Int64) throws -> Void
  ) throws {
    let status = try FileStatus.ofRegularFile(at: path)
    guard !FileUse.isOpenInThisProcess(status.identity) else { throw StoreError(.busy) }
    let source = try FileBytes(path)
    try VaultHeader.check(source.prefix(Int(VaultHeader.byteCount)))
    lock = try FileLock(directory: directory, milliseconds: 5_000)
    if lock.isHeld { UnfinishedFile.removeLeftovers(in: directory) }
    file = try UnfinishedFile(in: directory)
    let logSize = (try? FileStatus(path: path + "-wal").size) ?? 0
    // It may grow meanwhile.
    let total = max(status.size + logSize, 1)
    try Self.copy(source, to: file.path) { try report(min($0, total), total) }
    guard logSize > 0 else { return }
    try Self.copy(FileBytes(path + "-wal"), to: file.path + "-wal") {
      try report(min(status.size + $0, total), total)
    }
  }

  /// Opens the copy. A log that belongs to another file is ignored.
  ///
  /// - Throws: as ``VaultFile/open(at:)``.
  public func open() throws -> VaultFile {
    if try StrayLog.exists(beside: file.path) {
      guard unsafe unlink(file.path + "-wal") == 0 else { throw StoreError(systemError: errno) }
    }
    return try VaultFile.open(
      at: file.path, settings: ConnectionSettings(), migrations: Schema.migrations, appliesAnyLog: true)
  }

  /// Removes the copy, which no connection has open any more. So does releasing the object, but another thread may delay it.
  public func remove() {
    file.remove()
  }

  private static func copy(_ source: FileBytes, to path: String, _ report: (Int64) throws -> Void) throws {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    try source.write(to: descriptor, report)
  }
}

/// A byte-for-byte copy of a vault's file and its log, whatever is wrong with them.
public struct ByteCopy: Sendable {
  /// The file's path.
  public let source: String
  /// The copy's path; the path of the log's copy has `-wal` appended.
  public let path: String
  /// The files of the copy.
  private let files: [String]

  /// Copies a file and its log, if any, to unused names, and compares the copies. They have mode 0600, and are on disk when
  /// this returns.
  ///
  /// No connection of this process may have the file open, because its locks end with the descriptor. Ends early if the task is
  /// cancelled.
  ///
  /// - Throws: `CancellationError`; `StoreError.alreadyExists`; `.busy` if the file changed meanwhile; `.notFound`, `.permissionDenied`,
  ///   `.readOnly`, `.diskFull`, `.inputOutput`. Nothing is left behind then.
  public init(of source: String, at path: String) throws {
    self.source = source
    self.path = path
    var made: [String] = []
    do {
      for ending in ["", "-wal"] where ending.isEmpty || Self.exists(source + ending) {
        try Self.copy(source + ending, to: path + ending, noting: &made)
      }
      files = made
      try Directory.synchronize(FilePath.directory(of: path))
      guard try isSame() else { throw StoreError(.busy) }
    } catch {
      for path in made { unsafe unlink(path) }
      throw error
    }
  }

  /// Removes the copy.
  public func remove() {
    for path in files { unsafe unlink(path) }
  }

  /// Returns whether the file and its log are unchanged since they were copied.
  public func isSame() throws -> Bool {
    guard try FileBytes(source).equals(FileBytes(path)) else { return false }
    guard Self.exists(source + "-wal") == Self.exists(path + "-wal") else { return false }
    guard Self.exists(path + "-wal") else { return true }
    return try FileBytes(source + "-wal").equals(FileBytes(path + "-wal"))
  }

  /// Whether there is a file that is not empty.
  private static func exists(_ path: String) -> Bool {
    ((try? FileStatus(path: path).size) ?? 0) > 0
  }

  private static func copy(_ source: String, to path: String, noting made: inout [String]) throws {
    let source = try FileBytes(source)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    made.append(path)
    guard fchmod(descriptor, 0o600) == 0 else { throw StoreError(systemError: errno) }
    try source.write(to: descriptor) { _ in try Task.checkCancellation() }
    guard fsync(descriptor) == 0 else { throw StoreError(systemError: errno) }
  }
}
