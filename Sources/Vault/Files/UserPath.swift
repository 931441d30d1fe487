import Glibc

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
    guard !path.hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(here) }
    return unsafe "\(String(cString: here))/\(path)"
  }

  package var directory: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// `HOME`, else what the system has of this user.
  private static var home: String {
    if let home = unsafe getenv("HOME").map({ unsafe String(cString: $0) }), home.hasPrefix("/") {
      return home == "/" ? "" : home
    }
    guard let entry = unsafe getpwuid(getuid()), let directory = unsafe entry.pointee.pw_dir else {
      return ""
    }
    return unsafe String(cString: directory)
  }
}
