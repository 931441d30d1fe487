import VaultStore

extension VaultSession {
  /// Looks whether there is a vault that can be opened, and changes nothing of it: it is not migrated, no rights are taken away,
  /// and nothing is made beside it. What lies in its log is not seen.
  ///
  /// - Throws: ``VaultError/notAVault``, ``VaultError/newerVersion``, ``VaultError/damaged(_:)``, ``VaultError/notFound``,
  ///   ``VaultError/unavailable(_:)``.
  public static func look(at path: String) throws {
    do {
      let file = try VaultFile.openImmutable(at: path)
      defer { try? file.close() }
      _ = try file.read { (try $0.vault(), try $0.slots()) }
    } catch {
      throw VaultError(error)
    }
  }
}
