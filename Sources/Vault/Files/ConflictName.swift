import VaultInterface

/// Recognizes the names that synchronisation programs give to conflict copies.
struct ConflictName {
  private let stem: String
  private let nameExtension: String

  /// - Parameter name: the name of the vault's file, without its directory.
  init(ofVault name: String) {
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    (stem, nameExtension) = (String(name[..<dot]), String(name[dot...]))
  }

  /// Returns what a file with a name is to the vault; nil for anything else.
  func kind(of name: String) -> ConflictFile.Kind? {
    guard name.hasPrefix(stem) else { return nil }
    let rest = name.dropFirst(stem.count)
    for (kind, companion) in [(ConflictFile.Kind.copy, ""), (.log, "-wal")] {
      let whole = nameExtension + companion
      if rest.hasPrefix(whole), Self.isAppended(rest.dropFirst(whole.count)) { return kind }
      if rest.hasSuffix(whole), Self.isInserted(rest.dropLast(whole.count)) { return kind }
    }
    return nil
  }

  /// Whether a program inserts this before the extension.
  private static func isInserted(_ mark: Substring) -> Bool {
    // Syncthing; ownCloud, and Nextcloud before version 3.
    if mark.hasPrefix(".sync-conflict-") || mark.hasPrefix("_conflict-") { return true }
    // Koofr and others count: _conf(1).
    if mark.hasPrefix("_conf("), isNumber(mark.dropFirst(6).dropLast()) { return mark.hasSuffix(")") }
    // Dropbox: (Lin's conflicted copy 2026-11-22). Nextcloud: (conflicted copy 2026-11-22 061539). Seafile: (SFConflict …).
    guard mark.hasPrefix(" ("), mark.hasSuffix(")") else { return false }
    return mark.contains("conflicted copy") || mark.hasPrefix(" (SFConflict ")
  }

  /// Whether QuickVault or a program appends this to the name.
  private static func isAppended(_ mark: Substring) -> Bool {
    if mark == "-stray" { return true }
    // rclone bisync: .conflict1, and ..path1 in older versions.
    return ["-stray-", ".conflict", "..path"].contains {
      mark.hasPrefix($0) && isNumber(mark.dropFirst($0.count))
    }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
