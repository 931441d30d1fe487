import CLinux
import Glibc
import VaultStore
import Wire

/// The path of a file outside of the vault, as a person names it.
///
/// `~` and what begins with `~/` are below the home directory; nothing else is special, spaces and Chinese least of all. A
/// relative path is taken from the working directory of the program.
public struct UserPath: Hashable, Sendable {
  /// The path as the system takes it.
  package let path: String

  /// Expands `~` in a path.
  ///
  /// - Throws: ``FileError/notFound`` for one that is empty or holds a NUL, which no file has.
  public init(_ text: String) throws(FileError) {
    guard !text.isEmpty, !text.utf8.contains(0) else { throw .notFound }
    let isBelowHome = text == "~" || text.hasPrefix("~/")
    path = isBelowHome ? Self.home + text.dropFirst() : text
  }

  /// The last component; nil for a path that can only be a directory.
  public var name: String? {
    let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
    guard let name = name.flatMap({ String($0) }), !["", ".", ".."].contains(name) else { return nil }
    return name
  }

  /// The path from the root, which is the same whatever the working directory is later.
  package var absolute: String {
    guard !path.hasPrefix("/"), let here = SystemPath.workingDirectory else { return path }
    return "\(here)/\(path)"
  }

  package var directory: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// `HOME`, else what the system has of this user.
  private static var home: String {
    if let home = ProcessEnvironment["HOME"], home.hasPrefix("/") {
      return home == "/" ? "" : home
    }
    guard let entry = unsafe getpwuid(getuid()), let directory = unsafe entry.pointee.pw_dir else {
      return ""
    }
    return unsafe String(cString: directory)
  }
}

/// A file that is written before it gets its name, and is deleted if it never gets one.
package struct NewFile: ~Copyable {
  private let descriptor: Int32
  private let directory: String
  /// The temporary name; empty for a file without a name.
  private let hiddenName: String

  /// Creates an empty file with mode 0600, whatever the umask.
  package init(in directory: String) throws(FileError) {
    self.directory = directory
    var name = ""
    var opened = unsafe linux_open_nameless(directory)
    // The errors of file systems and kernels without O_TMPFILE.
    if opened < 0, [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) {
      name = Self.hidden(in: directory)
      opened = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    descriptor = opened
    hiddenName = name
    guard opened >= 0 else { throw .writing(errno) }
    guard fchmod(opened, 0o600) == 0 else { throw .writing(errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    discard()
  }

  private static func hidden(in directory: String) -> String {
    "\(directory)/.quickvault-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
  }

  /// Appends bytes.
  package func write(_ bytes: PrivateBytes) throws(FileError) {
    var position = 0
    while position < bytes.count {
      let count = bytes.write(to: descriptor, from: position)
      guard count >= 0 || errno == EINTR else { throw .writing(errno) }
      position += max(count, 0)
    }
  }

  /// Unlinks the temporary name, so that nothing remains of the file however this process ends.
  package func discard() {
    if !hiddenName.isEmpty { unsafe unlink(hiddenName) }
  }

  /// Makes the content durable.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .writing(errno) }
  }

  /// Links the file to its name.
  ///
  /// - Throws: ``FileError/exists`` if the name is in use and `overwrites` is false.
  package func name(_ path: String, overwrites: Bool) throws(FileError) {
    if !overwrites {
      guard link(to: path) else { throw .writing(errno) }
      return
    }
    // linkat(2) replaces nothing, and rename(2) needs a name.
    let name = hiddenName.isEmpty ? Self.hidden(in: directory) : hiddenName
    guard !hiddenName.isEmpty || link(to: name) else { throw .writing(errno) }
    guard unsafe rename(name, path) == 0 else {
      let reason = errno
      unsafe unlink(name)
      throw .writing(reason)
    }
  }

  /// Links the file to a name that is not in use.
  private func link(to path: String) -> Bool {
    unsafe (hiddenName.isEmpty ? linux_name(descriptor, path) : linux_rename_to_new(hiddenName, path)) == 0
  }
}

/// Files outside of the vault that the user names; they are read and written completely.
public enum UserFile {
  /// Reads a file, once.
  ///
  /// It is opened without waiting for anybody, so that a FIFO cannot hold the program, and read only where it turns out to
  /// be a regular file. Symbolic links are followed.
  ///
  /// - Parameter limit: how many bytes it may have.
  /// - Throws: ``FileError/notFound``, ``FileError/notRegular``, ``FileError/unreadable(_:)``,
  ///   ``FileError/tooLarge(limit:)``.
  public static func read(_ path: UserPath, limit: Int) throws(FileError) -> PrivateBytes {
    let descriptor = unsafe open(path.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .reading(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .reading(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    // One more than it may have, since it may grow while it is read.
    guard let bytes = PrivateBytes(capacity: limit + 1) else { throw .unreadable(.outOfMemory) }
    while bytes.count <= limit {
      let count = bytes.read(from: descriptor)
      if count == 0 { return bytes }
      guard count > 0 || errno == EINTR else { throw .reading(errno) }
    }
    throw .tooLarge(limit: limit)
  }

  /// Writes a file with mode 0600, all of it or nothing: it is on disk under its name when this returns.
  ///
  /// It is written without a name where the file system can do that, else under a hidden one beside its place, flushed, and
  /// only then gets its name. Only a regular file that no vault uses is ever replaced.
  ///
  /// - Parameters:
  ///   - overwrites: whether a file of that name is replaced.
  ///   - pieces: what it is to hold.
  /// - Throws: ``FileError/exists``, ``FileError/notFound`` if its directory is missing, ``FileError/notRegular``,
  ///   ``FileError/notWritable(_:_:)``. Nothing is left behind then.
  public static func write(_ pieces: [PrivateBytes], to path: UserPath, overwrites: Bool) throws(FileError) {
    try check(path, overwrites: overwrites)
    let file = try NewFile(in: path.directory)
    for piece in pieces { try file.write(piece) }
    try file.synchronize()
    try check(path, overwrites: overwrites)
    try file.name(path.path, overwrites: overwrites)
    synchronize(path.directory)
  }

  /// Refuses what the last step would refuse too, a link or a device that it would replace, and a name that a vault uses:
  /// SQLite would remove the file.
  package static func check(_ path: UserPath, overwrites: Bool) throws(FileError) {
    guard path.name != nil else { throw .notRegular }
    var status = stat()
    if unsafe lstat(path.path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG || kind == S_IFLNK && !overwrites else { throw .notRegular }
      guard overwrites else { throw .exists }
    } else if errno != ENOENT {
      throw .writing(errno)
    }
    guard !VaultFile.isUsedByVault(path.path) else { throw .notWritable(.busy) }
  }

  /// Makes a name durable. That it cannot be done is no failure: the file is there.
  package static func synchronize(_ directory: String) {
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The kind of file at a path, symbolic links followed.
enum FileKind {
  case regular, directory, other

  /// Returns whether a path itself is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// - Throws: ``FileError/notFound``, ``FileError/unreadable(_:)``.
  init(of path: String) throws(FileError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .reading(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    default: self = .other
    }
  }
}
