import Glibc
import Wire

/// Finds programs.
enum SearchPath {
  /// The file of a program: the name itself if it has a slash, else in the directories of `PATH`.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return isExecutable(name) ? name : nil }
    let directories = (Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return directories.lazy.map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  /// The file of quickvault: QUICKVAULT_PROGRAM, else beside this program, else on the search path.
  static var quickvault: String? {
    if let given = Environment.nonEmptyValue("QUICKVAULT_PROGRAM") { return find(given) }
    if let directory = Executables.ownPath?.directoryName, isExecutable("\(directory)/quickvault") {
      return "\(directory)/quickvault"
    }
    return find("quickvault")
  }

  private static func isExecutable(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}

extension String {
  /// The part before the last slash.
  var directoryName: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The part after the last slash.
  var fileName: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }

  /// The first line.
  var firstLine: String { String(prefix { $0 != "\n" }) }
}
