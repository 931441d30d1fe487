import VaultCrypto
import VaultModel
import VaultStore

/// A vault that is unlocked: the key, and an index of ids, times and pins. Cards are opened when somebody asks for them.
final class OpenVault {
  /// What opens records on this thread.
  let reader: CardReader
  /// The slot whose password opened it; when it is gone, the password was changed elsewhere.
  var slot: StoredID
  /// What opens records on another thread, once it was wanted.
  private var secondReader: CardReader?

  var generation: Int64
  var head: VaultHead
  var index = CardIndex()
  /// The cards that do not open.
  var damaged: Set<RecordIdentifier> = []
  /// Whether the records are those that the head vouches for.
  var isComplete = true
  var settings = Settings()
  /// The settings as they are written, with those that a newer program has set.
  var settingsValues = SettingsText()
  var settingsRevision: Int64 = 0
  var foreignChanges: ForeignChanges?
  private var dataVersion: Int64

  /// Whether every record is there and whole; a vault that is not is only read.
  var isIntact: Bool { isComplete && damaged.isEmpty }

  var file: VaultFile { reader.file }
  var keys: VaultKeys { reader.keys }
  var identifier: Identifier { reader.vault }
  /// Where records are opened, one after another.
  var buffer: PlaintextBuffer { reader.buffer }

  /// Opens every record of the file in passing, and checks the record hash.
  ///
  /// - Throws: `StoreError`, or `CryptoError` where the key is none.
  static func open(_ file: VaultFile, vaultKey: SecretBytes, slot: StoredID) async throws -> OpenVault {
    let vault = try OpenVault(file, vaultKey: vaultKey, slot: slot)
    let census = try await vault.scan { Census() }
    try file.read { transaction in
      let isCurrent = try transaction.vault().generation == vault.generation
      try vault.readEverything(transaction, census: isCurrent ? census : nil)
    }
    return vault
  }

  private init(_ file: VaultFile, vaultKey: SecretBytes, slot: StoredID) throws {
    self.slot = slot
    dataVersion = try file.dataVersion()
    let row = try file.read { try $0.vault() }
    reader = CardReader(file, keys: try VaultKeys(vaultKey: vaultKey), vault: Identifier(row.vaultID))
    generation = row.generation
    head = VaultHead(emptyAt: UInt64(clamping: row.generation))
    if let head = try? openHead(row) { self.head = head }
  }

  /// What opens records on another thread; nil where the system does not let the file be opened twice.
  func assistant() -> CardReader? {
    if secondReader == nil { secondReader = try? reader.duplicate() }
    return secondReader
  }

  /// Reads what another process wrote since the last look.
  ///
  /// - Throws: ``VaultError/changed`` where the password was changed or the file replaced.
  func refresh() throws {
    let version = try file.dataVersion()
    guard version != dataVersion else { return }
    try file.read { try catchUp($0) }
    dataVersion = version
  }

  /// Reads what was written since this generation.
  func catchUp(_ transaction: borrowing ReadTransaction) throws {
    guard try transaction.slots().contains(where: { $0.id == slot }) else { throw VaultError.changed }
    let row = try transaction.vault()
    guard Identifier(row.vaultID) == identifier else { throw VaultError.changed }
    guard row.generation != generation else { return }

    let newHead = try? openHead(row)
    guard let newHead, let changed = newHead.cardsChanged(after: UInt64(clamping: generation)) else {
      try readEverything(transaction)
      note(.all)
      return
    }
    generation = row.generation
    head = newHead
    try readSettings(transaction)
    var (present, gone): (Set<RecordIdentifier>, Set<RecordIdentifier>) = ([], [])
    for card in changed.map({ RecordIdentifier($0) }) {
      if let row = try transaction.card(StoredID(card)) {
        present.insert(card)
        try row.sealed.withRawSpan { (span) throws in try takeIn(StoredID(card), row.revision, span) }
      } else {
        gone.insert(card)
        index.remove(card)
        damaged.remove(card)
      }
    }
    note(.cards(changed: present, deleted: gone))
  }

  /// Closes the files.
  func close() {
    try? secondReader?.file.close()
    try? file.close()
  }

  private func note(_ changes: ForeignChanges) {
    foreignChanges = foreignChanges?.followed(by: changes) ?? changes
  }

  /// Reads the head, the index and the settings anew, and checks the record hash over all of it.
  ///
  /// - Parameter census: what reading every card came to, where somebody has done so in this generation.
  private func readEverything(_ transaction: borrowing ReadTransaction, census known: Census? = nil) throws {
    let row = try transaction.vault()
    var census = known ?? Census()
    if known == nil {
      try reader.gather(&census, transaction)
      census.finish()
    }
    generation = row.generation
    damaged = census.damaged
    index = CardIndex(reversed: census.orders)
    settingsRevision = -1

    var documents: UInt64 = 0
    for document in try transaction.documents() {
      documents += 1
      let id = try Identifier(documentNamed: document.name)
      if let element = try? element(.document, id, document.revision, document.sealed) {
        census.hash.add(element)
      }
    }
    if let head = try? openHead(row) {
      self.head = head
      isComplete =
        head.recordHash == census.hash && head.cardCount == census.count && head.documentCount == documents
    } else {
      isComplete = false
    }
    try readSettings(transaction)
  }

  private func takeIn(_ id: StoredID, _ revision: Int64, _ sealed: RawSpan) throws {
    let card = RecordIdentifier(id)
    index.remove(card)
    if let order = order(of: id, revision, sealed) {
      index.insert(order)
      damaged.remove(card)
    } else {
      damaged.insert(card)
    }
    buffer.wipe()
  }

  /// Opens a card as far as the index needs it; nil where it does not open.
  private func order(of id: StoredID, _ revision: Int64, _ sealed: RawSpan) -> CardOrder? {
    guard (try? reader.open(.card, Identifier(id), revision, sealed)) != nil else { return nil }
    return try? buffer.withContent { record in
      let head = try CardRecord.head(of: record)
      return CardOrder(pinned: head.pinned, modifiedAt: head.modifiedAt, id: RecordIdentifier(id))
    }
  }

  func openHead(_ row: VaultRow) throws -> VaultHead {
    try openRecord(.head, .zero, row.generation, row.head)
    defer { buffer.wipe() }
    return try buffer.withContent {
      try VaultHead(decoding: $0, generation: UInt64(clamping: row.generation))
    }
  }
}

// MARK: Records

extension OpenVault {
  /// Opens a record into ``buffer``.
  func openRecord(_ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: [UInt8]) throws {
    try sealed.withRawSpan { (span) throws in try reader.open(kind, id, revision, span) }
  }

  /// Seals a record for its place.
  func sealRecord(_ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ content: [UInt8]) throws
    -> [UInt8]
  {
    let place = RecordPlace(vault: identifier, kind: kind, record: id, revision: UInt64(clamping: revision))
    return try keys.sealer.seal(content, at: place)
  }

  /// What a record adds to the record hash.
  func element(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: [UInt8]
  ) throws -> RecordHash.Element {
    try sealed.withRawSpan { (span) throws in try reader.element(kind, id, revision, span) }
  }
}
