public import Identifiers
public import VaultModel

extension VaultSession {
  /// Returns the names that a card has; no value leaves the buffer, which is wiped.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func names(of id: Identifier) throws -> CardNames {
    let vault = try unlocked()
    return try vault.reading { transaction in
      guard let row = try transaction.card(id) else { throw VaultError.cardNotFound(id) }
      return try vault.reader.withRecord(.card, id, row.revision, row.sealed) { try CardRecord.names(in: $0) }
    }
  }
}
