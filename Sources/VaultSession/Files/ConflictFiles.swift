public import VaultModel
import VaultStore

extension ConflictFile {
  /// Finds those beside a vault, which may be missing itself. Names decide, and for a copy the file's header.
  ///
  /// - Parameter path: the vault's path; symbolic links are followed.
  /// - Returns: at most ``limit`` files, in the order of their names; none if the directory cannot be read.
  public static func all(beside path: String) -> [ConflictFile] {
    guard let path = (try? VaultFile.resolvedPath(path)) ?? (try? VaultFile.absolutePath(path)),
      let slash = path.lastIndex(of: "/"),
      let names = try? Directory.names(in: slash == path.startIndex ? "/" : String(path[..<slash]))
    else { return [] }
    let vault = ConflictName(ofVault: String(path[slash...].dropFirst()))
    let files = names.sorted().compactMap { name in
      vault.kind(of: name).map { ConflictFile(path: path[...slash] + name, kind: $0) }
    }
    .filter { VaultFile.isStored(at: $0.path, isLog: $0.kind == .log) }
    // A log beside its own copy is merged with that.
    let logs = Set(files.filter { $0.kind == .copy }.map { $0.path + "-wal" })
    return Array(files.filter { !logs.contains($0.path) }.prefix(limit))
  }
}
