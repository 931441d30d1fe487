import Glibc
public import VaultStore

/// An error with a file outside of the vault. No case contains its path or content.
public enum FileError: Error, Hashable, Sendable {
  /// There is no such file, or no such directory to write it in.
  case notFound
  /// A directory, a FIFO, a device or a socket; for writing, a symbolic link too.
  case notRegular
  /// It cannot be read.
  case unreadable(VaultError.Reason, ErrorOrigin)
  /// The name is taken.
  case exists
  /// The system does not let it be written, or a vault uses the name (`busy`); nothing was left behind.
  case notWritable(VaultError.Reason, ErrorOrigin)
  /// It has more bytes than this.
  case tooLarge(limit: Int)

  package static func unreadable(
    _ reason: VaultError.Reason, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    .unreadable(reason, ErrorOrigin(file: file, line: line))
  }

  package static func notWritable(
    _ reason: VaultError.Reason, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    .notWritable(reason, ErrorOrigin(file: file, line: line))
  }

  /// Maps the error number of a call for reading.
  package static func reading(
    _ number: Int32, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case ENXIO, EISDIR, ENODEV, EWOULDBLOCK: .notRegular
    default: .unreadable(reason(number), ErrorOrigin(systemError: number, file: file, line: line))
    }
  }

  /// Maps the error number of a call for writing.
  package static func writing(
    _ number: Int32, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case EEXIST, ENOTEMPTY: .exists
    case EISDIR: .notRegular
    default: .notWritable(reason(number), ErrorOrigin(systemError: number, file: file, line: line))
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
