import Glibc
import VaultStore

/// A file in the state directory with one line for each error or event, and nothing private.
///
/// Several processes append to it, each line with one write(2). When it has half of ``sizeLimit``, it is renamed to
/// end in `.old` and replaces the one before, so that both together do not exceed the limit. What cannot be written is left out.
public struct LineLog: Sendable {
  /// The most bytes of both files: 1 MiB.
  public static let sizeLimit = 1 << 20
  /// The most bytes of a line.
  private static let maximumLineLength = 1_024

  private let directory: String
  private let path: String
  private var earlierPath: String { path + ".old" }

  /// The log in a directory, which need not exist yet.
  public init(in directory: String, name: String = "log") {
    self.directory = directory
    path = directory + "/" + name
  }

  /// Appends a line. It is not flushed: after a power failure it may be missing.
  ///
  /// - Returns: whether it was written.
  @discardableResult public func append(_ line: String) -> Bool {
    let bytes = Array(line.utf8.prefix(Self.maximumLineLength)) + [UInt8(ascii: "\n")]
    guard (try? Directory.make(directory)) != nil, let descriptor = openForAppending(bytes.count) else {
      return false
    }
    defer { close(descriptor) }
    return unsafe write(descriptor, bytes, bytes.count) == bytes.count
  }

  /// Removes the log.
  func remove() {
    for path in [path, earlierPath] { unsafe unlink(path) }
  }

  /// Returns the last lines, the oldest first.
  public func lastLines(_ count: Int) -> [String] {
    let text = Self.read(earlierPath) + Self.read(path)
    return text.split(separator: UInt8(ascii: "\n")).suffix(count).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns whether a line has a text.
  func contains(_ text: String) -> Bool {
    [path, earlierPath].contains { path in
      let lines = Self.read(path).split(separator: UInt8(ascii: "\n"))
      return lines.contains { $0.contains(text.utf8) }
    }
  }

  /// Opens the log with room for a line. A link, and a file that this user does not own alone, is not opened.
  private func openForAppending(_ count: Int) -> Int32? {
    // Another process may be renaming the full log.
    for _ in 0..<20 {
      let descriptor = unsafe open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      guard let status = Self.ownStatus(descriptor),
        status.st_mode & 0o7777 == 0o600 || fchmod(descriptor, 0o600) == 0
      else {
        close(descriptor)
        return nil
      }
      if Int(status.st_size) + count <= Self.sizeLimit / 2 { return descriptor }
      renameFull(descriptor, status)
      close(descriptor)
      sched_yield()
    }
    return nil
  }

  /// Renames the full log, unless another process has done so or does. Without locks, as on some network file systems, both may,
  /// and the older lines are lost.
  private func renameFull(_ descriptor: Int32, _ status: stat) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return }
    var named = stat()
    guard unsafe lstat(path, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev
    else { return }
    unsafe rename(path, earlierPath)
  }

  /// The status of an open file; nil if it is not a regular file of this user with one name.
  private static func ownStatus(_ descriptor: Int32) -> stat? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_nlink <= 1
    else { return nil }
    return status
  }

  private static func read(_ path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    guard let status = ownStatus(descriptor) else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), sizeLimit))
    var count = 0
    while count < bytes.count {
      let read = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + count }, bytes.count - count)
      }
      guard read > 0 else { break }
      count += read
    }
    return Array(bytes[..<count])
  }
}
