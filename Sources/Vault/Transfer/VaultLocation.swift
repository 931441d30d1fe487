import VaultInterface
import VaultStore

/// The path of a vault's file, symbolic links resolved.
struct VaultLocation {
  let path: String
  let directory: String
  let name: String

  init(_ path: String) throws {
    self.path = try VaultFile.resolvedPath(path)
    let slash = self.path.lastIndex(of: "/") ?? self.path.startIndex
    directory = slash == self.path.startIndex ? "/" : String(self.path[..<slash])
    name = String(self.path[self.path.index(after: slash)...])
  }

  /// Returns a path beside the vault for the copy of the damaged file.
  func copyPath(_ time: Timestamp, _ number: Int) -> String {
    let suffix = number == 1 ? "" : "-\(number)"
    return
      "\(DatedName.stem(of: path))-damaged-\(DatedName.stamp(of: time))\(suffix)\(DatedName.fileExtension)"
  }
}
