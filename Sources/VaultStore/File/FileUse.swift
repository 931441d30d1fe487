import Glibc

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
