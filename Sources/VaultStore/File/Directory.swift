import Glibc

/// Creates, lists and syncs directories.
public enum Directory {
  /// Makes the directory and those above it that are missing, each with mode 0700 whatever the umask, and
  /// makes their names durable. Directories that are there already stay as they are.
  ///
  /// Throws `StoreError.missingDirectory` if a directory cannot be there, or its name belongs to something else.
  public static func make(_ path: String) throws {
    do {
      guard try FileStatus(path: path).isDirectory else { throw StoreError(.missingDirectory) }
      return
    } catch StoreError.notFound {
      guard path != "/" else { throw StoreError(.missingDirectory) }
    }
    let parent = FilePath.directory(of: path)
    try make(parent)
    guard unsafe mkdir(path, 0o700) == 0 else {
      let reason = errno
      // Above it, somebody removed a directory, or the file system has no place for it, as in /proc.
      guard reason != ENOENT else { throw StoreError(.missingDirectory) }
      guard reason == EEXIST else { throw StoreError(systemError: reason) }
      guard let made = try? FileStatus(path: path), made.isDirectory else {
        throw StoreError(.missingDirectory)
      }
      return
    }
    guard unsafe chmod(path, 0o700) == 0 else { throw StoreError(systemError: errno) }
    try synchronize(parent)
  }

  /// Makes the names in a directory durable. File systems that cannot (EINVAL, EROFS) need no such call.
  public static func synchronize(_ path: String) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw StoreError(systemError: errno)
    }
  }

  /// Tells whether names were added to a directory or removed from it.
  public struct Version: Hashable, Sendable {
    fileprivate let identity: FileStatus.Identity
    /// In nanoseconds since 1970.
    fileprivate let modifiedAt: Int64
  }

  /// Returns the version of a file's directory; nil if it was changed so lately that the next change may have the same one.
  ///
  /// - Parameter path: an absolute path.
  public static func version(ofDirectoryOf path: String) -> Version? {
    guard let directory = try? FileStatus(path: FilePath.directory(of: path)) else { return nil }
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME_COARSE, &now) == 0,
      Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- directory.modifiedAt
        > timeStep(directory.modifiedAt)
    else { return nil }
    return Version(identity: directory.identity, modifiedAt: directory.modifiedAt)
  }

  /// How far apart two changes are at most that a file system may give the same time, in nanoseconds: a tick of the kernel. One
  /// that has no fractions of a second, such as FAT, may count two seconds at once.
  private static func timeStep(_ time: Int64) -> Int64 {
    time % 1_000_000_000 == 0 ? 3_000_000_000 : 50_000_000
  }

  /// The names in a directory, `.` and `..` among them; one that is not UTF-8 is left out.
  ///
  /// - Throws: `StoreError` for an error of the system.
  public static func names(in path: String) throws -> [String] {
    guard let stream = unsafe opendir(path) else { throw StoreError(systemError: errno) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
      }
      if let name { names.append(name) }
    }
    return names
  }
}

/// A vault that only one connection can still read: another file has its name, or another process uses another log.
///
/// Programs that synchronize folders cause this by renaming their copies over an open vault.
struct ReplacedFile {
  let connection: Connection
  /// The vault's path, with symbolic links resolved.
  let path: String

  /// Writes what the connection reads, including its log, to a new vault whose name ends in `-stray`, or `-stray-2` and so on.
  ///
  /// Writes nothing if this vault was removed, so that the path leads to no file or to another vault, or if a file with the same
  /// pages is there already: one with the same head may be a copy that was made while the vault was written to. The caller
  /// holds the directory's lock.
  ///
  /// - Parameter hasName: whether the file has another name, so that it was not removed.
  /// - Throws: `StoreError.busy`, `.corrupt`, `.diskFull`, `.inputOutput`, `.permissionDenied`, `.readOnly`.
  func save(hasName: Bool = false) throws {
    guard hasName || (try? FileStatus(path: path)) != nil else { return }
    let directory = FilePath.directory(of: path)
    let copy = try UnfinishedFile(in: directory, isLocked: true)
    let vault = try connection.transaction(.read) {
      let vault = try ReadTransaction(connection: connection).vault()
      let target = try Connection(private: copy.path)
      try connection.copyPages(to: target) { _, _ in }
      try target.close()
      return vault
    }
    if let other = Self.vault(at: path), other.vaultID != vault.vaultID { return }
    let others = try [path] + StrayLog.savedVaults(beside: path)
    let isThere = others.contains {
      Self.vault(at: $0)?.head == vault.head && StrayLog.hasPages(of: copy.path, $0)
    }
    guard !isThere else { return }
    try copy.synchronize()
    try copy.rename(to: StrayLog.freeName(beside: path, for: ""))
    try Directory.synchronize(directory)
  }

  /// The vault's row in a file, without any log; nil if it cannot be read.
  private static func vault(at path: String) -> VaultRow? {
    guard let status = try? FileStatus(path: path), !FileUse.isOpenInThisProcess(status.identity),
      let file = try? VaultFile.openImmutable(at: path)
    else { return nil }
    // Swift 6.3.1 crashes in a release build if the closure returns the row.
    var row: VaultRow?
    try? file.read { row = try $0.vault() }
    return row
  }
}
