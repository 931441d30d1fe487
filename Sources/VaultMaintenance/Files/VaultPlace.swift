import VaultModel
import VaultStore

/// Where a vault's file really is, symbolic links followed.
struct VaultPlace {
  let path: String
  let directory: String
  let name: String

  init(_ path: String) throws {
    self.path = try VaultFile.resolvedPath(path)
    let slash = self.path.lastIndex(of: "/") ?? self.path.startIndex
    directory = slash == self.path.startIndex ? "/" : String(self.path[..<slash])
    name = String(self.path[self.path.index(after: slash)...])
  }

  /// A name beside the vault for a copy of it while it was damaged.
  func copyPath(_ time: Timestamp, _ number: Int) -> String {
    let suffix = number == 1 ? "" : "-\(number)"
    return "\(DatedName.stem(of: path))-damaged-\(DatedName.stamp(of: time))\(suffix)\(DatedName.ending)"
  }
}
