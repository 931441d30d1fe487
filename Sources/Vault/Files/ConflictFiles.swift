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
    emptyDirectory = named.isEmpty ? version : nil
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
