import Glibc

/// The directory of sockets and lock files, opened and found to be the user's own.
///
/// Files in it are reached through the open directory, so that nobody can put another in its place, and however long its
/// path is: that of a socket has at most 107 bytes.
package struct ServiceDirectory: ~Copyable {
  /// Why a directory is not used. Each case names the directory.
  package enum Refusal: Error, Hashable, Sendable {
    /// It is a symbolic link.
    case link(String)
    /// It is another kind of file.
    case noDirectory(String)
    /// It belongs to another user.
    case otherOwner(String, UInt32)
    /// Its mode is not 0700.
    case wrongMode(String, UInt32)
    case system(String, SystemError)
  }

  /// The directory's path.
  package let path: String
  private let descriptor: Int32

  /// Opens the directory.
  ///
  /// - Parameter isCreated: whether to create it, with mode 0700, if it does not exist.
  /// - Returns: nil if it does not exist.
  package static func open(_ place: ServiceLocation, creating isCreated: Bool) throws(Refusal) -> Self? {
    let path = place.directory
    if isCreated, unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .system(path, SystemError("mkdir"))
    }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let failure = SystemError("open")
      if failure.number == ENOENT, !isCreated { return nil }
      throw Self.refusal(of: path, failure)
    }
    let directory = Self(path: path, descriptor: descriptor)
    try directory.check(owner: place.user)
    return directory
  }

  private init(path: String, descriptor: Int32) {
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit { close(descriptor) }

  /// A path of a file in the directory, which holds while this value lives.
  package func path(of name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

  /// Waits for the lock on the directory, which is kept while this value lives.
  ///
  /// - Returns: 0, or -1 and `errno`.
  func lock() -> Int32 {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return -1 }
    }
    return 0
  }

  private func check(owner: UInt32) throws(Refusal) {
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw .system(path, SystemError("fstat")) }
    guard information.st_uid == owner else { throw .otherOwner(path, information.st_uid) }
    let mode = information.st_mode & 0o777
    guard mode == 0o700 else { throw .wrongMode(path, mode) }
  }

  /// Why a directory could not be opened.
  private static func refusal(of path: String, _ failure: SystemError) -> Refusal {
    var information = stat()
    guard unsafe lstat(path, &information) == 0 else { return .system(path, failure) }
    switch information.st_mode & S_IFMT {
    case S_IFLNK: return .link(path)
    case S_IFDIR: return .system(path, failure)
    default: return .noDirectory(path)
    }
  }
}
