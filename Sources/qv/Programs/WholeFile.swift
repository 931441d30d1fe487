import Glibc
import VaultInterface
import Wire

/// A vault's file that nothing has open, so that it is complete without a log.
///
/// What fails here has the status ``ExitStatus/untried``, but for a file that is not there.
struct WholeFile {
  let path: String
  private let state: [Int]

  /// - Parameter path: an absolute path; symbolic links are followed.
  init(_ path: String) throws(Failure) {
    guard let resolved = SystemPath.resolved(path) else { throw Self.failure(path) }
    self.path = resolved
    state = try Self.state(of: self.path)
  }

  var directory: String { path.directoryName }

  /// Copies the file to a new one that only the user can read.
  func copy(to copy: String) throws(Failure) {
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Self.failure(path) }
    defer { close(source) }
    let target = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard target >= 0 else { throw Self.failure(copy) }
    defer { close(target) }
    let content = try Descriptor.read(source)
    guard content.count == state[2] else { throw Self.isInUse(path) }
    try Descriptor.write(content, to: target)
  }

  /// Replaces the file in one step, and makes that durable.
  ///
  /// - Parameter copy: a file on the same file system, which has no log either.
  func replace(with copy: String) throws(Failure) {
    _ = try Self.state(of: copy)
    guard try Self.state(of: path) == state else { throw Self.isInUse(path) }
    try Self.synchronize(copy)
    guard unsafe rename(copy, path) == 0 else { throw Self.failure(path) }
    try Self.synchronize(directory)
  }

  /// The attributes that change with each write to the file.
  ///
  /// - Throws: also if there is a log beside it.
  private static func state(of path: String) throws(Failure) -> [Int] {
    var status = stat()
    guard unsafe stat(path + "-wal", &status) != 0 else { throw isInUse(path) }
    guard unsafe stat(path, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .exit(.untried, Localized("\(path) is not a regular file", "\(path) 不是普通文件"))
    }
    return [
      Int(status.st_dev), Int(bitPattern: UInt(status.st_ino)), status.st_size, status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec,
    ]
  }

  private static func synchronize(_ path: String) throws(Failure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path) }
  }

  private static func isInUse(_ path: String) -> Failure {
    .exit(
      .untried,
      Localized(
        "\(path) is open in a program, or was not closed; quit that program, or use: qv --vault '\(path)' merge FILE",
        "\(path) 正由某个程序使用，或未正常关闭：请退出该程序，或使用 qv --vault '\(path)' merge 文件"))
  }

  private static func failure(_ path: String) -> Failure {
    let (isMissing, reason) = (errno == ENOENT, unsafe String(cString: strerror(errno)))
    return .exit(isMissing ? .noVault : .untried, Localized(verbatim: "\(path): \(reason)"))
  }
}
