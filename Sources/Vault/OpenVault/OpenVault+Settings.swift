import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// Reads the sealed settings if their revision changed.
  ///
  /// - Returns: false if they do not open; the known settings stay then.
  func readSettings(_ transaction: borrowing ReadTransaction) throws -> Bool {
    guard try readReplica(transaction) else { return false }
    guard let row = try transaction.document(KeyValueText.documentName) else {
      (settings, settingsValues, settingsRevision) = (Settings(), KeyValueText(), 0)
      return true
    }
    guard row.revision != settingsRevision else { return true }
    guard let values = try? readText(row) else { return false }
    (settings, settingsValues, settingsRevision) = (Settings(values), values, row.revision)
    return true
  }

  /// Reads a document of names and values; nil if it does not exist.
  ///
  /// - Throws: `CryptoError` if it does not open or is malformed.
  func readText(_ name: String, _ transaction: borrowing ReadTransaction) throws -> KeyValueText? {
    try transaction.document(name).map { try readText($0) }
  }

  private func readText(_ row: DocumentRow) throws -> KeyValueText {
    guard let values = try reader.text(of: row).flatMap(KeyValueText.init) else {
      throw CryptoError.malformed
    }
    return values
  }

  /// Writes a document.
  ///
  /// - Returns: its new revision.
  func write(
    _ text: String, as name: String, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws -> Int64 {
    let id = try Identifier(documentNamed: name)
    let old = try transaction.read.document(name)
    let revision = try (old?.revision ?? 0).incremented()
    let sealed = try reader.seal(.document, id, revision, Array(text.utf8))
    let new = try reader.element(.document, id, revision, sealed)
    if let old {
      try transaction.updateDocument(
        DocumentRow(name: name, revision: revision, sealed: sealed), expected: old.revision)
      change.head.replace(try reader.element(.document, id, old.revision, old.sealed), with: new)
    } else {
      try transaction.insertDocument(DocumentRow(name: name, revision: revision, sealed: sealed))
      try change.head.add(new, kind: .document)
    }
    return revision
  }

  /// Deletes a document. There need not be one.
  func removeDocument(
    _ name: String, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    guard let old = try transaction.read.document(name) else { return }
    try transaction.deleteDocument(name, expected: old.revision)
    let id = try Identifier(documentNamed: name)
    try change.head.remove(reader.element(.document, id, old.revision, old.sealed), kind: .document)
  }

  /// Writes the settings, both the sealed ones and those in plaintext.
  ///
  /// - Parameter values: the stored settings, of which unknown names are kept.
  func write(
    _ settings: Settings, as values: KeyValueText, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    var values = values
    settings.write(to: &values)
    let revision = try write(values.text, as: KeyValueText.documentName, transaction, &change)
    try transaction.setPlaintextSettings(settings.plaintext)
    change.settings = (settings, values, revision)
  }
}
