package import VaultCrypto
package import VaultStore
package import Wire

/// Checks whether records that were found in a damaged file open.
package final class SalvagedRecords {
  private let keys: VaultKeys
  private let vault: Identifier
  private let buffer = PlaintextBuffer()

  package init(keys: VaultKeys, vault: Identifier) {
    self.keys = keys
    self.vault = vault
  }

  /// Whether a record opens in the place where it was found.
  package func open(_ record: SalvagedRecord) -> Bool {
    defer { buffer.wipe() }
    guard let revision = UInt64(exactly: record.revision), let (kind, id) = try? place(record.kind) else {
      return false
    }
    let place = RecordContext(vault: vault, kind: kind, record: id, revision: revision)
    return (try? keys.sealer.open(record.sealed, at: place, into: buffer)) != nil
  }

  private func place(_ kind: SalvagedRecord.Kind) throws -> (RecordKind, Identifier) {
    switch kind {
    case .head: (.head, .zero)
    case .card(let id): (.card, id)
    case .document(let name): (.document, try Identifier(documentNamed: name))
    case .history(let id): (.history, id)
    }
  }
}
