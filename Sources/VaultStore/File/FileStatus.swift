import Glibc

/// The status of the file at a path, symbolic links followed.
struct FileStatus: Hashable {
  /// The file system and the inode, which together identify a file.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The attributes that change with each write to a file.
  struct Content: Hashable {
    let identity: Identity
    let size: Int64
    /// When the file was last written, in nanoseconds since 1970.
    let modifiedAt: Int64
  }

  let identity: Identity
  let size: Int64
  let mode: UInt32
  /// The user that the file belongs to.
  let owner: UInt32
  /// The group that the file belongs to.
  let group: UInt32
  /// The number of hard links.
  let linkCount: Int
  /// When the content was last modified, in nanoseconds since 1970.
  let modifiedAt: Int64

  /// Reads the status of the file at `path`.
  ///
  /// Throws `StoreError.notFound`, `.permissionDenied`, `.missingDirectory`, `.invalidPath` or
  /// `.inputOutput`.
  init(path: String, followsLinks: Bool = true) throws {
    var status = stat()
    guard unsafe fstatat(AT_FDCWD, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      throw StoreError(systemError: errno)
    }
    self.init(status)
  }

  /// Reads the status of a regular file.
  ///
  /// Throws as ``init(path:followsLinks:)``, and `StoreError.notARegularFile`.
  static func ofRegularFile(at path: String) throws -> FileStatus {
    let status = try FileStatus(path: path)
    guard status.isRegularFile else { throw StoreError(.notARegularFile) }
    return status
  }

  /// The status of what a descriptor is open on; nil for none.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    mode = UInt32(status.st_mode)
    (owner, group, linkCount) = (status.st_uid, status.st_gid, Int(status.st_nlink))
    modifiedAt = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  var content: Content { Content(identity: identity, size: size, modifiedAt: modifiedAt) }
  var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  var isSymbolicLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
  /// Whether the group or others have any right to the file.
  var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
