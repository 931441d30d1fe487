public import VaultInterface
import VaultStore

/// Finds the conflict files beside a vault.
///
/// It remembers a directory without any until names are added or removed there, because clients ask for the status often.
struct ConflictFiles {
  /// The path of the vault, which may be missing itself; symbolic links are followed.
  let path: String
  private var emptyDirectory: Directory.Version?

  init(besideVaultAt path: String) {
    self.path = path
  }

  /// Finds those that are there now. Names decide, and for a copy the file's header.
  ///
  /// - Returns: at most ``ConflictFile/limit`` files, in the order of their names; none if the directory cannot be read.
  mutating func find() -> [ConflictFile] {
    let version = Directory.version(ofDirectoryOf: path)
    if let version, version == emptyDirectory { return [] }
    guard let named = named() else { return [] }
    // Names are looked for where a symbolic link leads. To become one, the path changes its directory.
    emptyDirectory = named.isEmpty && !FileKind.isLink(path) ? version : nil
    let files = named.filter { VaultFile.isStored(at: $0.path, isLog: $0.kind == .log) }
    // A log beside its own copy is merged with that.
    let logs = Set(files.filter { $0.kind == .copy }.map { $0.path + "-wal" })
    return Array(files.filter { !logs.contains($0.path) }.prefix(ConflictFile.limit))
  }

  /// The files with such a name; nil if the directory cannot be read.
  private func named() -> [ConflictFile]? {
    guard let path = (try? VaultFile.resolvedPath(path)) ?? (try? VaultFile.absolutePath(path)),
      let slash = path.lastIndex(of: "/"),
      let names = try? Directory.names(in: slash == path.startIndex ? "/" : String(path[..<slash]))
    else { return nil }
    let vault = ConflictName(ofVault: String(path[slash...].dropFirst()))
    return names.sorted().compactMap { name in
      vault.kind(of: name).map { ConflictFile(path: path[...slash] + name, kind: $0) }
    }
  }
}

extension ConflictFile {
  /// Finds those beside a vault, which may be missing itself.
  ///
  /// - Parameter path: the vault's path; symbolic links are followed.
  public static func all(beside path: String) -> [ConflictFile] {
    var files = ConflictFiles(besideVaultAt: path)
    return files.find()
  }
}

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
