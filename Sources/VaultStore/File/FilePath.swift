import Glibc

/// The path of a vault, made absolute, so that it means the same file for as long as the vault is open.
struct FilePath {
  /// SQLite's own limit is 512 bytes, with `-journal` at the end.
  static let maximumBytes = 480

  let absolute: String

  /// A relative path is resolved against the working directory. `~` is an ordinary character here.
  ///
  /// Throws `StoreError.invalidPath` for a path that is empty, holds a NUL, ends with a slash, or is too
  /// long.
  init(_ path: String) throws {
    guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else { throw StoreError(.invalidPath) }
    absolute = path.hasPrefix("/") ? path : try Self.workingDirectory() + "/" + path
    guard absolute.utf8.count <= Self.maximumBytes else { throw StoreError(.invalidPath) }
  }

  var directory: String { Self.directory(of: absolute) }

  /// The directory part of an absolute path.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The path of a name in a directory, which may be `/`.
  static func path(of name: String, in directory: String) -> String {
    (directory == "/" ? "" : directory) + "/" + name
  }

  private static func workingDirectory() throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let text = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> String? in
      guard let start = unsafe getcwd(bytes.baseAddress, bytes.count) else { return nil }
      return unsafe String(validatingCString: start)
    }
    guard let text else { throw StoreError(.missingDirectory) }
    return text
  }
}
