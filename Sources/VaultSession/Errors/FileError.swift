import Glibc

/// What can go wrong with a file outside of the vault that a person names. No case carries its path or its content.
public enum FileError: Error, Hashable, Sendable {
  /// There is no such file, or no such directory to write it in.
  case notFound
  /// A directory, a FIFO, a device or a socket; for writing, a symbolic link too.
  case notRegular
  /// The system does not let it be read.
  case unreadable(VaultError.Reason)
  /// There is something with this name already.
  case exists
  /// The system does not let it be written, or a vault uses the name (`busy`); nothing was left behind.
  case notWritable(VaultError.Reason)
  /// It is longer than so many bytes.
  case tooLarge(limit: Int)

  /// What the error number of a call that was to read says.
  package static func reading(_ number: Int32) -> FileError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case ENXIO, EISDIR, ENODEV, EWOULDBLOCK: .notRegular
    default: .unreadable(reason(number))
    }
  }

  /// What the error number of a call that was to write says.
  static func writing(_ number: Int32) -> FileError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case EEXIST, ENOTEMPTY: .exists
    case EISDIR: .notRegular
    default: .notWritable(reason(number))
    }
  }

  private static func reason(_ number: Int32) -> VaultError.Reason {
    switch number {
    case EACCES, EPERM: .permissionDenied
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case EROFS: .readOnly
    case ENOMEM: .outOfMemory
    default: .inputOutput
    }
  }
}
