import Glibc

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
}
