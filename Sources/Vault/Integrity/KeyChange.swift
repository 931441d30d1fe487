package import VaultCrypto
package import VaultStore
import Wire

extension VaultSession {
  /// Reencrypts the open vault under another vault key, in one transaction. Other processes that have it open lock it,
  /// and no device is bound any more.
  ///
  /// - Parameters:
  ///   - slot: the slot of the password that opens the vault afterwards.
  ///   - document: returns the document of a synchronised vault afterwards.
  /// - Throws: ``VaultError/damaged(_:)``; ``VaultError/locked`` if the vault was locked meanwhile; `CancellationError`;
  ///   `StoreError`.
  package func changeKey(
    to vaultKey: SecretBytes, slot: SlotRow,
    _ document: @escaping @Sendable (SyncDocument) -> SyncDocument
  ) async throws {
    let vault = try access()
    try vault.requireWritable()
    try requireWritableFile()
    let (keys, identifier, path, time) = (vault.reader.keys, vault.reader.vault, path, now.milliseconds)
    let oldKey = keys.vaultKey
    try await changingKey(to: vaultKey, slot: slot.id) {
      try await runInBackground(whenCancelled: .wait) {
        let file = try VaultFile.open(at: path)
        defer { try? file.close() }
        let reader = RecordReader(file, keys: try VaultKeys(vaultKey: oldKey), vault: identifier)
        try file.write { transaction in
          var reencryption = try Reencryption(reader, vaultKey, transaction.read)
          try reencryption.run(transaction, slot: slot) { name, content in
            switch name {
            case DeviceDocument.name: return nil
            case SyncDocument.name:
              guard let text = String(validating: content, as: UTF8.self),
                let before = KeyValueText(text).flatMap(SyncDocument.init)
              else { throw VaultError.damaged(nil) }
              return Array(document(before).values.text.utf8)
            default: return content
            }
          }
          try transaction.appendEvent(EventRow(at: time, kind: VaultEvent.passwordChanged.rawValue))
        }
      }
    }
  }
}
