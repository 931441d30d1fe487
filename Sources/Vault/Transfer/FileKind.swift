import Glibc
import VaultStore

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

extension FileError {
  /// Maps an error of writing a file outside of the vault; nil for one that concerns the vault itself.
  init?(writing error: StoreError) {
    switch error.kind {
    case .notFound, .missingDirectory, .invalidPath: self = .notFound
    case .alreadyExists: self = .exists
    case .notARegularFile: self = .notRegular
    case .permissionDenied: self = .notWritable(.permissionDenied, error.origin)
    case .readOnly: self = .notWritable(.readOnly, error.origin)
    case .diskFull: self = .notWritable(.diskFull, error.origin)
    case .inputOutput: self = .notWritable(.inputOutput, error.origin)
    default: return nil
    }
  }
}
