import VaultCrypto
import VaultStore
import Wire

extension OpenVault {
  /// Reads which replica this is, if that may have changed.
  ///
  /// - Returns: false if the document does not open.
  func readReplica(_ transaction: borrowing ReadTransaction) throws -> Bool {
    guard let row = try transaction.document(SyncDocument.name) else {
      (replica, syncRevision) = (nil, 0)
      return true
    }
    guard row.revision != syncRevision else { return true }
    let document = (try? reader.text(of: row))?.flatMap(KeyValueText.init).flatMap(SyncDocument.init)
    guard let document else { return false }
    (replica, syncRevision) = (document.replica, row.revision)
    return true
  }

  /// Reads the document of a synchronised vault; nil for one that is not.
  ///
  /// - Throws: `CryptoError` if it does not open or is malformed.
  func syncDocument(_ transaction: borrowing ReadTransaction) throws -> SyncDocument? {
    guard let values = try readText(SyncDocument.name, transaction) else { return nil }
    guard let document = SyncDocument(values) else { throw CryptoError.malformed }
    return document
  }

  /// Writes the document; nil deletes it, and the vault is not synchronised any more.
  func write(
    _ document: SyncDocument?, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    guard let document else {
      try removeDocument(SyncDocument.name, transaction, &change)
      return change.sync = (nil, 0)
    }
    let revision = try write(document.values.text, as: SyncDocument.name, transaction, &change)
    change.sync = (document.replica, revision)
  }
}
