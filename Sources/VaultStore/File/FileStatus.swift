import Glibc

/// The status of the file at a path, symbolic links followed.
struct FileStatus: Hashable {
  /// The file system and the inode, which together identify a file.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The attributes that change with each write to a file.
  struct Content: Hashable {
    let identity: Identity
    let size: Int64
    /// When the file was last written, in nanoseconds since 1970.
    let modifiedAt: Int64
  }

  let identity: Identity
  let size: Int64
  let mode: UInt32
  /// The user that the file belongs to.
  let owner: UInt32
  /// The group that the file belongs to.
  let group: UInt32
  /// The number of hard links.
  let linkCount: Int
  /// When the content was last modified, in nanoseconds since 1970.
  let modifiedAt: Int64

  /// Reads the status of the file at `path`.
  ///
  /// Throws `StoreError.notFound`, `.permissionDenied`, `.missingDirectory`, `.invalidPath` or
  /// `.inputOutput`.
  init(path: String, followsLinks: Bool = true) throws {
    var status = stat()
    guard unsafe fstatat(AT_FDCWD, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      throw StoreError(systemError: errno)
    }
    self.init(status)
  }

  /// Reads the status of a regular file.
  ///
  /// Throws as ``init(path:followsLinks:)``, and `StoreError.notARegularFile`.
  static func ofRegularFile(at path: String) throws -> FileStatus {
    let status = try FileStatus(path: path)
    guard status.isRegularFile else { throw StoreError(.notARegularFile) }
    return status
  }

  /// The status of what a descriptor is open on; nil for none.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    mode = UInt32(status.st_mode)
    (owner, group, linkCount) = (status.st_uid, status.st_gid, Int(status.st_nlink))
    modifiedAt = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  var content: Content { Content(identity: identity, size: size, modifiedAt: modifiedAt) }
  var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  /// Whether the group or others have any right to the file.
  var isOpenToOthers: Bool { mode & 0o077 != 0 }
}

/// Checks whether a file is in use. Closing any descriptor of a file drops the locks that this process has on it
/// (<https://www.sqlite.org/howtocorrupt.html>, 2.2), so a file that this process has open is not opened again.
enum FileUse {
  /// The directory with the descriptors of this process (proc(5)).
  private static let ownDescriptors = "/proc/self/fd"

  /// Whether this process has a descriptor of a file; true if that cannot be found out.
  ///
  /// - Parameter descriptors: the directory with a name for each descriptor.
  static func isOpenInThisProcess(_ file: FileStatus.Identity, descriptors: String = ownDescriptors) -> Bool {
    guard let names = try? Directory.names(in: descriptors) else { return true }
    return names.compactMap { Int32($0) }.contains { FileStatus(descriptor: $0)?.identity == file }
  }

  /// Returns whether a file that this process has open has a name; true if that cannot be found out.
  static func hasName(_ file: FileStatus.Identity) -> Bool {
    descriptor(of: file).flatMap(FileStatus.init(descriptor:)).map { $0.linkCount > 0 } ?? true
  }

  /// Returns the path that a file has now that this process has open; nil if that cannot be found out.
  static func path(of file: FileStatus.Identity) -> String? {
    guard let descriptor = descriptor(of: file) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("\(ownDescriptors)/\(descriptor)", &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Whether any process, in any container, has a POSIX lock on a file; true if that cannot be found out.
  ///
  /// This process must not have the file open.
  static func isLocked(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    return isLocked(descriptor)
  }

  /// Whether another process has a POSIX lock on a file that this process has open; true if that cannot be found out.
  static func isLockedByOthers(_ file: FileStatus.Identity) -> Bool {
    descriptor(of: file).map(isLocked) ?? true
  }

  /// Returns a descriptor of this process for a file; nil if there is none, or that cannot be found out.
  private static func descriptor(of file: FileStatus.Identity) -> Int32? {
    let names = (try? Directory.names(in: ownDescriptors)) ?? []
    return names.compactMap { Int32($0) }.first { FileStatus(descriptor: $0)?.identity == file }
  }

  private static func isLocked(_ descriptor: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }

  /// Whether a vault uses a name: a process has locks on the file, as SQLite does on a vault, or SQLite would use the file
  /// as the log, index or journal of an existing vault.
  static func isUsedByVault(_ path: String) -> Bool {
    if let file = try? FileStatus(path: path, followsLinks: false), file.isRegularFile,
      isOpenInThisProcess(file.identity) || isLocked(path)
    {
      return true
    }
    guard let vault = vaultPath(ofCompanion: path), let status = try? FileStatus(path: vault),
      status.isRegularFile
    else { return false }
    if isOpenInThisProcess(status.identity) { return true }
    guard let start = try? FileBytes(vault).prefix(Int(VaultHeader.byteCount)) else { return false }
    return (try? VaultHeader.check(start)) != nil
  }

  /// The path of the vault that a file with a companion's name would belong to; nil for any other name.
  private static func vaultPath(ofCompanion path: String) -> String? {
    // Some file systems ignore case.
    var name = path.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let unnumbered = name.prefix(1 + (name.lastIndex(of: UInt8(ascii: "-")) ?? -1)).dropLast()
    if unnumbered.suffix(StrayLog.nameSuffix.utf8.count).elementsEqual(StrayLog.nameSuffix.utf8) {
      name = Array(unnumbered)
    }
    for ending in ["-wal" + StrayLog.nameSuffix, StrayLog.nameSuffix] + UnfinishedFile.companions
    where name.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
      return String(decoding: path.utf8.prefix(name.count - ending.utf8.count), as: UTF8.self)
    }
    return nil
  }
}
