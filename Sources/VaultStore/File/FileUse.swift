import Glibc

/// Whether a file is in use, as far as asking does no harm: closing any descriptor of a file ends the locks that this process has
/// on it (<https://www.sqlite.org/howtocorrupt.html>, 2.2), so one that this process has open is not opened to be asked.
enum FileUse {
  /// Where the system shows the descriptors of this process (proc(5)).
  private static let ownDescriptors = "/proc/self/fd"

  /// Whether this process has a descriptor of a file; true where the system does not tell.
  ///
  /// - Parameter descriptors: the directory with a name for each descriptor.
  static func isOpenHere(_ file: FileStatus.Identity, descriptors: String = ownDescriptors) -> Bool {
    guard let names = try? Directory.names(in: descriptors) else { return true }
    return names.compactMap { Int32($0) }.contains { FileStatus(descriptor: $0)?.identity == file }
  }

  /// Whether any process has a POSIX lock on a file, in whatever container it is; true where the system does not tell.
  ///
  /// This process must not have the file open.
  static func isLocked(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }
}
