import VaultStore

/// The document `account`: the server and its credentials. It is not synchronised.
extension VaultSession {
  private static let accountDocument = "account"

  /// Reads the account; nil if there is none, or if it does not open.
  ///
  /// - Throws: ``VaultError/locked``.
  package func accountValues() throws -> KeyValueText? {
    let vault = try unlocked()
    return try vault.reading { transaction in
      guard let row = try transaction.document(Self.accountDocument) else { return nil }
      return (try? vault.reader.text(of: row)).flatMap { $0 }.flatMap(KeyValueText.init)
    }
  }

  /// Keeps the account in place of the one before; nil forgets it.
  ///
  /// - Throws: ``VaultError/locked``, ``VaultError/readOnly``.
  package func setAccount(_ values: KeyValueText?) throws {
    let vault = try unlocked()
    try vault.change { transaction, change in
      if let values {
        _ = try vault.write(values.text, as: Self.accountDocument, transaction, &change)
      } else {
        try vault.removeDocument(Self.accountDocument, transaction, &change)
      }
    }
  }
}
