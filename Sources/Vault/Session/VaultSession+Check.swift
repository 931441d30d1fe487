import VaultStore

extension VaultSession {
  /// Checks whether there is a vault that can be opened, without changing it: it is not migrated, its permissions stay,
  /// and no file is created. The contents of its log are ignored.
  ///
  /// - Throws: ``VaultError/notAVault``, ``VaultError/newerVersion``, ``VaultError/damaged(_:)``, ``VaultError/notFound``,
  ///   ``VaultError/unavailable(_:)``.
  public static func checkFormat(at path: String) throws {
    do {
      let file = try VaultFile.openImmutable(at: path)
      defer { try? file.close() }
      _ = try file.read { (try $0.vault(), try $0.slots()) }
    } catch {
      throw VaultError(error)
    }
  }
}
