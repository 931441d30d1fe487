import Glibc

/// The real path of a file that need not exist yet.
enum RealPath {
  private static let linkLimit = 40

  /// Resolves all symbolic links, `.` and `..`. What does not exist is kept as it is written.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  static func of(_ path: String) throws(SystemError) -> String {
    try resolve(path.hasPrefix("/") ? path : workingDirectory() + "/" + path, links: linkLimit)
  }

  private static func resolve(_ path: String, links: Int) throws(SystemError) -> String {
    if let resolved = unsafe realpath(path, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    let failure = SystemError("realpath")
    guard failure.number == ENOENT else { throw failure }
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return "/" }
    let parent = "/" + parts.dropLast().joined(separator: "/")
    if name == "." { return try resolve(parent, links: links) }
    // Before `..` everything must be real, as links below it lead elsewhere.
    let directory = try resolve(parent, links: links)
    if name == ".." { return "/" + directory.split(separator: "/").dropLast().joined(separator: "/") }
    let place = (directory == "/" ? "" : directory) + "/" + name
    guard let target = SystemFile.target(of: place) else { return place }
    guard links > 0 else {
      errno = ELOOP
      throw SystemError("realpath")
    }
    return try resolve(target.hasPrefix("/") ? target : directory + "/" + target, links: links - 1)
  }

  private static func workingDirectory() throws(SystemError) -> String {
    guard let path = unsafe getcwd(nil, 0) else { throw SystemError("getcwd") }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
