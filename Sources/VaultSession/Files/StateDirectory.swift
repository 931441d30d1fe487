import Glibc
import Identifiers
import VaultStore

/// The directory in which a user's programs remember the vaults that they had open: a sealed file for each.
///
/// Nothing in it is needed: a directory that cannot be made, read or written remembers nothing. Files are not synced, so
/// that a write costs little; after a power failure one may be missing or older.
public struct StateDirectory: Sendable, Hashable {
  private static let longestFile = 1_024
  private let path: String

  /// A directory, which need not exist yet.
  public init(_ path: String) {
    self.path = path
  }

  private func path(of vault: Identifier) -> String { "\(path)/vault-\(vault)" }

  /// Returns what was written last; nil for nothing.
  func read(_ vault: Identifier) -> [UInt8]? {
    guard let path = try? UserPath(path(of: vault)) else { return nil }
    return (try? UserFile.read(path, limit: Self.longestFile))?.prefix(Self.longestFile)
  }

  /// Writes a file of mode 0600 in one step, in a directory of mode 0700.
  func write(_ sealed: [UInt8], of vault: Identifier) {
    guard let bytes = PrivateBytes(capacity: sealed.count) else { return }
    bytes.append(sealed)
    do {
      try Directory.make(path)
      let file = try NewFile(in: path)
      try file.write(bytes)
      try file.name(path(of: vault), overwrites: true)
    } catch {}
  }

  /// Removes what was written of a vault.
  func remove(_ vault: Identifier) {
    unsafe unlink(path(of: vault))
  }
}
