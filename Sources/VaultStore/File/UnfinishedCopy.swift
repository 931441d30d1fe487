import CSQLite
import Glibc
import Wire

/// A complete vault file on disk that does not have its final name yet, such as a copy of an open vault.
///
/// It has a hidden name in its directory and is deleted with the object, unless it was renamed. Nobody else
/// makes or removes a vault in that directory meanwhile.
public final class UnfinishedCopy {
  private let directory: String
  private let lock: FileLock
  private let file: UnfinishedFile

  /// Copies one snapshot of the vault, its log included; others may write to it meanwhile.
  ///
  /// The file has mode 0600. It is flushed when this returns.
  ///
  /// - Parameters:
  ///   - directory: the directory of the copy, absolute or relative to the working directory.
  ///   - report: receives the number of pages left, and of all pages.
  /// - Throws: what `report` throws; `StoreError.notFound` for a missing directory, `.permissionDenied`, `.readOnly`,
  ///   `.diskFull`, `.busy`, `.inputOutput`, `.changed`, `.corrupt`.
  public static func make(
    of vault: VaultFile, in directory: String, _ report: (_ left: Int, _ total: Int) throws -> Void
  ) throws -> UnfinishedCopy {
    let lock = try FileLock(directory: directory, milliseconds: 5_000)
    if lock.isHeld { UnfinishedFile.removeLeftovers(in: directory) }
    let file = try UnfinishedFile(in: directory)
    let target = try Connection(private: file.path)
    try vault.read { transaction in
      _ = try transaction.vault()
      try transaction.connection.copyPages(to: target, report)
    }
    try target.close()
    try file.synchronize()
    return UnfinishedCopy(directory: directory, lock: lock, file: file)
  }

  /// Writes a new vault: `fill` writes all of its rows, the vault's own included.
  ///
  /// - Parameter directory: the directory of the file.
  /// - Throws: what `fill` throws, and as ``make(of:in:_:)``.
  public static func make(
    in directory: String, filling fill: (borrowing WriteTransaction) throws -> Void
  ) throws -> UnfinishedCopy {
    let lock = try FileLock(directory: directory, milliseconds: 5_000)
    if lock.isHeld { UnfinishedFile.removeLeftovers(in: directory) }
    let file = try UnfinishedFile(in: directory)
    try VaultFile.write(file.path, ConnectionSettings(), fill, didWrite: {})
    try file.synchronize()
    return UnfinishedCopy(directory: directory, lock: lock, file: file)
  }

  private init(directory: String, lock: consuming FileLock, file: consuming UnfinishedFile) {
    self.directory = directory
    self.lock = lock
    self.file = file
  }

  /// The size of the copy in bytes.
  public var size: Int64 {
    get throws { try FileStatus(path: file.path).size }
  }

  /// Opens the copy by itself, for reading.
  ///
  /// - Throws: as ``VaultFile/openImmutable(at:)``.
  public func open() throws -> VaultFile {
    try VaultFile.openImmutable(at: file.path)
  }

  /// Names the copy and syncs its directory.
  ///
  /// - Parameter replaces: whether an existing file is replaced, atomically.
  /// - Throws: `StoreError.alreadyExists` if the name is in use and `replaces` is false; `.notARegularFile` for a directory;
  ///   `.permissionDenied`, `.readOnly`, `.diskFull`, `.inputOutput`.
  public func name(_ name: String, replaces: Bool) throws {
    let path = FilePath.path(of: name, in: directory)
    if replaces {
      guard unsafe rename(file.path, path) == 0 else { throw StoreError(systemError: errno) }
    } else {
      try file.name(path)
    }
    // Not only when the value ends: another thread may still have it when the process does.
    file.remove()
    try Directory.synchronize(directory)
  }

  /// Replaces a vault that this process does not have open, atomically.
  ///
  /// The log of the old file is removed first, because SQLite would apply it to the new one; the caller has copied it. Other
  /// processes that have the old file open get `StoreError.changed`.
  ///
  /// - Throws: as ``name(_:replaces:)``.
  public func replace(_ name: String) throws {
    for companion in UnfinishedFile.companions {
      guard unsafe unlink(directory + "/" + name + companion) == 0 || errno == ENOENT else {
        throw StoreError(systemError: errno)
      }
    }
    try self.name(name, replaces: true)
  }
}

extension VaultFile {
  /// Opens a vault that nobody writes to, such as a backup, read-only: no other file is read or created, and it
  /// is not migrated.
  ///
  /// - Throws: `StoreError.notFound`, `.notARegularFile`, `.notAVault`, `.newerVersion`, `.corrupt`,
  ///   `.permissionDenied`, `.inputOutput`, `.invalidPath`.
  public static func openImmutable(at path: String) throws -> VaultFile {
    let path = try FilePath(path).absolute
    let status = try FileStatus.ofRegularFile(at: path)
    let connection = try Connection(immutable: path)
    try VaultHeader.check(connection.rawPrefix(VaultHeader.byteCount))
    try connection.configure(ConnectionSettings())
    try connection.transaction(.read) { try connection.checkSchema(Schema.migrations) }
    return VaultFile(
      path: path, connection: connection, status: status, settings: ConnectionSettings(),
      schema: try connection.schemaEntries(), kind: .unwritten)
  }

  /// Returns an absolute path, relative to the working directory.
  ///
  /// - Throws: `StoreError.invalidPath`, `.missingDirectory`.
  public static func absolutePath(_ path: String) throws -> String {
    try FilePath(path).absolute
  }

  /// Returns an absolute path with every symbolic link resolved.
  ///
  /// - Throws: `StoreError.notFound`, `.invalidPath`, `.permissionDenied`, `.inputOutput`.
  public static func resolvedPath(_ path: String) throws -> String {
    errno = 0
    if let resolved = SystemPath.resolved(path) { return resolved }
    throw errno == 0 ? StoreError(.invalidPath) : StoreError(systemError: errno)
  }

  /// Returns whether a path leads to a vault's file, or to one of its companions.
  public static func isPart(_ path: String, ofVaultAt vault: String) -> Bool {
    guard let identity = try? FileStatus(path: path).identity, let vault = try? resolvedPath(vault) else {
      return false
    }
    return ([""] + UnfinishedFile.companions).contains {
      (try? FileStatus(path: vault + $0).identity) == identity
    }
  }

  /// Returns whether a path leads to a vault that this program knows or, if `isLog`, to a file that may be a log.
  public static func isStored(at path: String, isLog: Bool) -> Bool {
    guard let status = try? FileStatus.ofRegularFile(at: path), status.size > 0 else { return false }
    guard !isLog, !FileUse.isOpenInThisProcess(status.identity) else { return true }
    return (try? VaultHeader.check(FileBytes(path).prefix(Int(VaultHeader.byteCount)))) != nil
  }

  /// Returns whether a path must not be written because a vault uses it, whether that is open in this process
  /// or in another, or closed.
  public static func isUsedByVault(_ path: String) -> Bool {
    FileUse.isUsedByVault(path)
  }

  /// Returns the names in a directory.
  ///
  /// - Throws: `StoreError.notFound`, `.permissionDenied`, `.inputOutput`.
  public static func names(in directory: String) throws -> [String] {
    try Directory.names(in: directory)
  }

  /// Removes a backup, and makes that durable.
  ///
  /// - Throws: `StoreError.permissionDenied`, `.readOnly`, `.inputOutput`.
  public static func removeBackup(_ name: String, in directory: String) throws {
    guard unsafe unlink(directory + "/" + name) == 0 || errno == ENOENT else {
      throw StoreError(systemError: errno)
    }
    try Directory.synchronize(directory)
  }
}
