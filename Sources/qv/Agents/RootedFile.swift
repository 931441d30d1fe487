import CLinux
import Glibc
import VaultInterface
import Wire

/// A text file below a directory, from which no symbolic link and no `..` leads away. It is replaced as a whole.
final class RootedFile {
  private static let limit = 1 << 20

  /// Where it is, as the kernel names it.
  let path: String
  private let directory: Int32
  private let name: String
  private let descriptor: Int32
  private let status: stat

  /// - Parameter path: an absolute path that begins as one of the directories does, or a path relative to one.
  /// - Throws: ``ToolError``.
  init(_ path: String, below roots: [String]) throws {
    guard !roots.isEmpty else {
      throw ToolError(
        "The client has named no roots. The person can start quickvault mcp with --root DIRECTORY.")
    }
    var found: (directory: Int32, name: String)?
    for root in roots where found == nil {
      found = Self.relative(path, to: root).flatMap { Self.open($0, below: root) }
    }
    guard let found else { throw Self.unusable }
    (directory, name) = found
    // A pipe without a writer would be waited for.
    descriptor = unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    var status = stat()
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.status = status
    let place = SystemPath.resolved("/proc/self/fd/\(directory)") ?? ""
    self.path = place == "/" ? "/\(name)" : "\(place)/\(name)"
    guard isFile, status.st_uid == geteuid(), status.st_size <= Self.limit else { throw Self.unusable }
  }

  deinit {
    for descriptor in [directory, descriptor] where descriptor >= 0 { close(descriptor) }
  }

  private static let unusable = ToolError(
    "There is no text file of at most 1 MiB with this path below a root, without a symbolic link on the way.")

  private static func relative(_ path: String, to root: String) -> String? {
    guard path.hasPrefix("/") else { return path }
    let places = [root, SystemPath.resolved(root)].compactMap(\.self).map {
      $0.hasSuffix("/") ? $0 : $0 + "/"
    }
    return places.first(where: path.hasPrefix).map { String(path.dropFirst($0.count)) }
  }

  /// Opens the directory of a path.
  private static func open(_ path: String, below root: String) -> (directory: Int32, name: String)? {
    guard !path.fileName.isEmpty, ![".", ".."].contains(path.fileName) else { return nil }
    let top = unsafe Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard top >= 0 else { return nil }
    defer { close(top) }
    let directory = unsafe linux_open_directory_beneath(top, path.directoryName)
    return directory < 0 ? nil : (directory, path.fileName)
  }

  func read() throws -> String {
    guard let text = String(validating: try Descriptor.read(descriptor, upTo: Self.limit), as: UTF8.self)
    else {
      throw ToolError("The file is not UTF-8 text.")
    }
    return text
  }

  /// Replaces the file by what `write` writes to a descriptor. Only the user can read it then.
  ///
  /// - Throws: ``ToolError`` also if the file was changed since it was opened.
  func replace(_ write: (Int32) throws -> Void) throws {
    let made = ".\(name.prefix(60)).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let target = unsafe openat(directory, made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw ToolError("The directory cannot be written.") }
    defer {
      close(target)
      unsafe unlinkat(directory, made, 0)
    }
    try write(target)
    var now = stat()
    guard unsafe fstatat(directory, name, &now, AT_SYMLINK_NOFOLLOW) == 0, now.st_ino == status.st_ino,
      now.st_dev == status.st_dev, now.st_size == status.st_size, now.st_mtim.tv_sec == status.st_mtim.tv_sec,
      now.st_mtim.tv_nsec == status.st_mtim.tv_nsec
    else { throw ToolError("The file was changed meanwhile. Nothing was filled in.") }
    guard fsync(target) == 0, unsafe renameat(directory, made, directory, name) == 0 else {
      throw ToolError("The file could not be written.")
    }
  }
}
