package import VaultCrypto
import VaultInterface
package import VaultStore
import Wire

/// Reencrypts a vault under another vault key.
///
/// Cards and contents keep their salts: replicas that have the same record seal it to the same bytes, and what identifies a content
/// in the histories stays. Under another key, a salt is a new one.
struct Reencryption {
  private let old: RecordReader
  private let new: RecordReader
  private let row: VaultRow
  private let generation: Int64
  /// What the old head should account for, and the new head.
  private var (before, after): (VaultHead, VaultHead)

  init(_ old: RecordReader, _ vaultKey: SecretBytes, _ transaction: borrowing ReadTransaction) throws {
    self.old = old
    new = RecordReader(old.file, keys: try VaultKeys(vaultKey: vaultKey), vault: old.vault)
    row = try transaction.vault()
    generation = try row.generation.incremented()
    (before, after) = (VaultHead(emptyAt: 0), VaultHead(emptyAt: UInt64(generation)))
  }

  /// Reencrypts every record, and replaces the slots.
  ///
  /// - Parameter documents: returns the content of a document afterwards; nil to delete it.
  /// - Throws: ``VaultError/damaged(_:)`` if the head does not account for what is there; `CancellationError`.
  mutating func run(
    _ transaction: borrowing WriteTransaction, slot: SlotRow,
    documents: (_ name: String, _ content: [UInt8]) throws -> [UInt8]?
  ) throws {
    var ids: [Identifier] = []
    try transaction.read.forEachCard { _, id, _, _ in ids.append(id) }
    for id in ids { try sealCard(id, transaction) }
    var histories: [HistoryRow] = []
    try transaction.read.forEachHistory { _, row in histories.append(row) }
    for row in histories { try sealHistory(row, transaction) }
    for row in try transaction.read.documents() {
      let content = try old.withRecord(
        .document, Identifier(documentNamed: row.name), row.revision, row.sealed
      ) {
        unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) }
      }
      try seal(row, documents(row.name, content), transaction)
    }
    let head = try old.head(row)
    guard head.recordHash == before.recordHash, head.cardCount == before.cardCount,
      head.attachmentCount == before.attachmentCount
    else { throw VaultError.damaged(nil) }
    for row in try transaction.read.slots() where !row.isPassword { try transaction.deleteSlot(row.id) }
    guard let password = try transaction.read.slots().first else { throw VaultError.damaged(nil) }
    try transaction.replaceSlot(password.id, with: slot)
    if try transaction.read.bindsPlainRows() { after.plainHash = try transaction.read.plainHash() }
    try transaction.putHead(new.seal(.head, .zero, generation, after.encoded()), generation: generation)
  }

  private mutating func sealCard(_ id: Identifier, _ transaction: borrowing WriteTransaction) throws {
    try Task.checkCancellation()
    guard let row = try transaction.read.card(id) else { throw VaultError.failed(.recordMissing) }
    try before.add(old.element(.card, id, row.revision, row.sealed), kind: .card)
    var plaintext = try old.withRecord(.card, id, row.revision, row.sealed) { span in
      unsafe span.withUnsafeBytes { unsafe [UInt8]($0) }
    }
    for attachment in try old.card(row).attachments {
      let seal = try sealContent(of: attachment, transaction)
      // Nothing else changes, so that replicas with other versions of this program come to the same plaintext.
      guard let place = plaintext.firstRange(of: attachment.seal.bytes) else { throw VaultError.damaged(id) }
      plaintext.replaceSubrange(place, with: seal.bytes)
    }
    let place = RecordContext(
      vault: old.vault, kind: .card, record: id, revision: UInt64(clamping: row.revision))
    let sealed = try seal(plaintext, at: place, withSaltOf: row.sealed)
    try transaction.updateCard(
      CardRow(id: id, revision: row.revision, sealed: sealed), expected: row.revision)
    try after.add(new.element(.card, id, row.revision, sealed), kind: .card)
  }

  private mutating func sealContent(
    of attachment: Attachment, _ transaction: borrowing WriteTransaction
  ) throws -> ContentSeal {
    let id = attachment.id
    try before.add(old.element(of: IndexedAttachment(attachment)), kind: .attachment)
    let sealed = try transaction.read.content(id) { sealed in
      let salt = try Salt(sealed.extracting(first: Salt.count))
      return try new.seal(old.content(of: attachment, sealed), of: id, salt: salt)
    }
    guard let sealed else { throw VaultError.damaged(id) }
    try transaction.deleteContent(id)
    try sealed.withRawSpan { (span) throws in try transaction.insertContent(id, span) }
    let seal = try sealed.withRawSpan { (span) throws in try ContentSeal(of: span) }
    try after.add(new.element(.attachment, id, 1, seal.bytes), kind: .attachment)
    return seal
  }

  private func seal(_ plaintext: [UInt8], at place: RecordContext, withSaltOf sealed: [UInt8]) throws
    -> [UInt8]
  {
    let salt = try Salt(Array(sealed.prefix(Salt.count)))
    return try plaintext.withRawSpan { (span) throws(CryptoError) in
      try new.keys.sealer.seal(span, at: place, salt: salt)
    }
  }

  /// Reencrypts a history. From now on this replica publishes the card, because the former publisher may not follow to
  /// the new key.
  private mutating func sealHistory(_ row: HistoryRow, _ transaction: borrowing WriteTransaction) throws {
    try Task.checkCancellation()
    try before.add(old.element(.history, row.id, row.revision, row.sealed), kind: .history)
    var history = try old.history(row)
    if history.origin == nil { history.versions?.publish(in: generation) }
    let sealed = try new.seal(.history, row.id, row.revision, history.encoded())
    try transaction.putHistory(HistoryRow(id: row.id, revision: row.revision, sealed: sealed))
    try after.add(new.element(.history, row.id, row.revision, sealed), kind: .history)
  }

  private mutating func seal(
    _ row: DocumentRow, _ content: [UInt8]?, _ transaction: borrowing WriteTransaction
  ) throws {
    let id = try Identifier(documentNamed: row.name)
    try before.add(old.element(.document, id, row.revision, row.sealed), kind: .document)
    guard let content else { return try transaction.deleteDocument(row.name, expected: row.revision) }
    let revision = row.revision + 1
    let sealed = try new.seal(.document, id, revision, content)
    try transaction.updateDocument(
      DocumentRow(name: row.name, revision: revision, sealed: sealed), expected: row.revision)
    try after.add(new.element(.document, id, revision, sealed), kind: .document)
  }
}

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
    let vault = try unlocked()
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
