import Glibc

/// The file that a process executes.
struct Executable: Hashable, Sendable {
  let path: String
  private let device: UInt64
  private let number: UInt64
  /// Whether the file was removed or replaced since the process started.
  private let isDeleted: Bool

  /// - Returns: nil if the kernel does not tell: of a process that forbids tracing, or to one that Landlock restricts.
  init?(of process: String) {
    let link = "/proc/\(process)/exe"
    var information = stat()
    guard unsafe stat(link, &information) == 0, let target = SystemFile.target(of: link) else { return nil }
    device = UInt64(information.st_dev)
    number = UInt64(information.st_ino)
    let mark = " (deleted)"
    isDeleted = information.st_nlink == 0 && target.hasSuffix(mark)
    path = isDeleted ? String(target.dropLast(mark.count)) : target
  }

  /// Whether this is the same file, or the file that was installed in its place.
  func isSameProgram(as other: Self) -> Bool {
    let isSameFile = device == other.device && number == other.number
    return isSameFile || path == other.path && isDeleted != other.isDeleted
  }
}
