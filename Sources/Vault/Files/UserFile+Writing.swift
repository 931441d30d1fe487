import Glibc
import VaultStore

extension UserFile {
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
