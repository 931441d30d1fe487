import VaultCrypto
import VaultInterface
package import VaultStore
import Wire

/// An unlocked vault: its keys, and an index of ids, times and pins. Cards are decrypted on demand.
package final class OpenVault {
  /// Opens records on this thread.
  let reader: RecordReader
  /// The slot that opened the vault. If it disappears, the password was changed or this device revoked.
  var slot: Identifier
  /// The password's slot. If it disappears, another process changed the password.
  var passwordSlot: Identifier
  /// Opens records on another thread; created when needed.
  private var secondReader: RecordReader?
  /// Whether another thread uses the second reader at the moment.
  private var isSecondReaderInUse = false
  private(set) var isClosed = false
  /// The last checkpoint that was begun.
  var checkpoint: Checkpoint?

  var generation: Int64
  var head: VaultHead
  var (index, titles, attachments) = (CardIndex(), TitleIndex(), AttachmentIndex())
  var contentFamilies = ContentFamilies()
  /// The deleted cards that can be restored.
  var deletedCards = DeletedCards()
  /// How tags are written; nil if that is unknown, as after another process's changes.
  var usedTags: UsedTags?
  /// The cards and attachments that do not open.
  var damaged: Set<Identifier> = []
  /// Whether the record hash matches the head.
  var isComplete = true
  var settings = Settings()
  /// The settings as stored, with those of newer programs.
  var settingsValues = KeyValueText()
  var settingsRevision: Int64 = 0
  /// The identity of this file among the replicas of a synchronised vault; nil for one that is not.
  var replica: Identifier?
  var syncRevision: Int64 = 0
  /// Whether this file may be a copy that another writes under the same identity: then nothing is written before it has another.
  var needsNewReplica = false
  /// Set where the file is older than one that was open before, until the user accepts it.
  var older: OlderCopy?
  /// Stores the vault's state; nil to store none.
  var states: StateDirectory?
  var remembered: Int64 = 0
  /// Set while the last write failed because there was no room, or the file could only be read.
  var couldNotBeWritten = false
  var externalChanges: ExternalChanges?
  /// What this process changed since its clients were last told.
  var ownChanges: ExternalChanges?
  /// What this copy of a vault has committed, for the vault to take over; nil for a vault that is no copy.
  var commits: [VaultChange]?
  var dataVersion: Int64
  /// The last commit that this state includes.
  var appliedCommit: CommitMark?
  /// The lockout and binding at a commit, cached.
  private var lockStatus: (mark: CommitMark, device: Identifier, lockout: LockoutRow?, isBound: Bool)?
  /// The damage of rows that are not sealed.
  var plainFindings: Set<Finding> = []

  /// Whether records, slots and plain settings match the head, and every record opens; otherwise the vault is read-only.
  var isIntact: Bool { isComplete && damaged.isEmpty && plainFindings.isEmpty }

  var file: VaultFile { reader.file }
  var keys: VaultKeys { reader.keys }
  var identifier: Identifier { reader.vault }
  var buffer: PlaintextBuffer { reader.buffer }

  /// Opens every record of the file once and checks the record hash.
  ///
  /// - Parameters:
  ///   - second: a second connection to the file; nil to make one when needed.
  ///   - first: runs on this thread while another begins to read.
  /// - Throws: what `first` throws; `StoreError`, or `CryptoError` for a wrong key.
  static func open(
    _ file: VaultFile, second: VaultFile? = nil, vaultKey: SecretBytes, slot: Identifier,
    checkpoint: CancellationPoint = .none, doing first: () throws -> Void = {}
  ) throws -> OpenVault {
    let vault: OpenVault
    do {
      let identifier = try file.read { try $0.vaultID() }
      let keys = try VaultKeys(vaultKey: vaultKey)
      vault = try OpenVault(RecordReader(file, keys: keys, vault: identifier), slot: slot)
      if let second { vault.secondReader = try vault.reader.duplicate(second) }
    } catch {
      try first()
      throw error
    }
    try vault.reader.checking(checkpoint) {
      let (summary, generation) = try vault.scan({ VaultSummary() }, doing: first)
      try file.read {
        try vault.readEverything($0, summary: $0.vault().generation == generation ? summary : nil)
      }
    }
    return vault
  }

  /// Reads the head only: the index is empty, and nothing is checked.
  init(_ reader: RecordReader, slot: Identifier) throws {
    self.reader = reader
    self.slot = slot
    dataVersion = try reader.file.dataVersion()
    let (row, slots) = try reader.file.read { (try $0.vault(), try $0.slots()) }
    let passwordSlots = slots.filter(\.isPassword).map(\.id)
    passwordSlot = passwordSlots.contains(slot) ? slot : passwordSlots.first ?? slot
    generation = row.generation
    head = VaultHead(emptyAt: UInt64(clamping: row.generation))
    if let head = try? reader.head(row) { self.head = head }
  }

  /// Returns a reader for another thread, until ``returnSecondReader()``; nil if the system does not let the file be opened twice.
  func takeSecondReader() -> RecordReader? {
    if secondReader == nil { secondReader = try? reader.duplicate() }
    isSecondReaderInUse = secondReader != nil
    return secondReader
  }

  func returnSecondReader() {
    isSecondReaderInUse = false
    if isClosed { closeSecondReader() }
  }

  private func closeSecondReader() {
    try? secondReader?.file.close()
    secondReader = nil
  }

  /// Applies what other processes wrote since the last call.
  ///
  /// - Throws: ``VaultError/changed`` if the password was changed, or the vault rolled back; `StoreError.changed` if the file or
  ///   its log was replaced.
  func refresh() throws {
    let mark = try file.commitMark()
    if let mark, mark == appliedCommit { return }
    if try file.dataVersion() != dataVersion { try file.read { try catchUp($0) } }
    appliedCommit = mark
  }

  /// Remembers a commit of this process as applied, unless another followed it.
  func noteOwnCommit(after before: CommitMark?) {
    if let before, let now = file.lastCommit, now.follows(before) { appliedCommit = now }
  }

  /// Applies what other processes wrote since the last call, and returns the failed attempts and whether a device is bound.
  ///
  /// - Throws: what ``refresh()`` throws.
  func lockStatus(of device: Identifier) throws -> (lockout: LockoutRow?, isBound: Bool) {
    let mark = try file.commitMark()
    if let mark, let lockStatus, lockStatus.mark == mark, lockStatus.device == device {
      return (lockStatus.lockout, lockStatus.isBound)
    }
    return try file.read { transaction in
      if try transaction.dataVersion() != dataVersion { try catchUp(transaction) }
      let (lockout, isBound) = (try transaction.lockout(), try transaction.hasSlot(device))
      appliedCommit = mark
      lockStatus = mark.map { ($0, device, lockout, isBound) }
      return (lockout, isBound)
    }
  }

  /// Runs `body` in a snapshot, after updating the index to it.
  package func reading<Value>(_ body: (borrowing ReadTransaction) throws -> Value) throws -> Value {
    try file.read { transaction in
      try catchUp(transaction)
      return try body(transaction)
    }
  }

  /// Applies what other processes wrote before this snapshot; applies nothing if it throws.
  ///
  /// A write without a new generation may be a failed unlock, a log entry, or damage: only the hash over all records
  /// shows which.
  func catchUp(_ transaction: borrowing ReadTransaction) throws {
    let version = try transaction.dataVersion()
    let row = try transaction.vault()
    guard version != dataVersion || row.generation != generation else { return }
    guard row.vaultID == identifier, row.generation >= generation,
      Set(try transaction.slots().map(\.id)).isSuperset(of: [slot, passwordSlot])
    else { throw VaultError.changed }
    usedTags = nil

    if isIntact, row.generation > generation, let newHead = try? reader.head(row),
      let changed = newHead.cardsChanged(after: UInt64(clamping: generation))
    {
      try applyChanges(to: changed.map { $0 }, transaction)
      (generation, head) = (row.generation, newHead)
      plainFindings = try reader.plainFindings(transaction, head: head, settings: settings)
      if try !reader.agrees(head, transaction) { isComplete = false }
    } else {
      let (before, damagedBefore, wasIntact) = (generation, damaged, isIntact)
      try readEverything(transaction)
      if generation != before || damaged != damagedBefore || isIntact != wasIntact { note(.all) }
    }
    dataVersion = version
  }

  /// Closes the files; one that another thread is reading is closed when that is done.
  func close() {
    release()
    try? file.close()
  }

  /// Closes everything but ``file``.
  func release() {
    isClosed = true
    // What it copies, closing the file would have to copy too.
    checkpoint?.join()
    if !isSecondReaderInUse { closeSecondReader() }
  }

  private func note(_ changes: ExternalChanges) {
    externalChanges = externalChanges?.followed(by: changes) ?? changes
  }

  /// Remembers that a card does not open; the vault cannot be changed from now on.
  func markDamaged(_ card: Identifier) {
    index.remove(card)
    damaged.insert(card)
  }

  /// Reads the head, the index and the settings again, and checks the record hash.
  ///
  /// - Parameter summary: a summary of this generation's cards; nil to scan them.
  private func readEverything(_ transaction: borrowing ReadTransaction, summary known: VaultSummary? = nil)
    throws
  {
    defer { buffer.wipe() }
    let row = try transaction.vault()
    var summary = known ?? VaultSummary()
    if known == nil {
      try reader.visitCards(&summary, transaction)
      summary.finish()
    }
    let documents = try transaction.documents()
    for document in documents {
      let id = try Identifier(documentNamed: document.name)
      let element = try? reader.element(.document, id, document.revision, document.sealed)
      if let element { summary.hash.add(element) }
    }
    summary.hash.add(try reader.visitHistories(transaction, opening: false).hash)
    (settingsRevision, syncRevision) = (-1, -1)
    let hasSettings = try readSettings(transaction)
    let newHead = try? reader.head(row)
    let newAttachments = AttachmentIndex(summary.attachments)
    let hasContents = try hasEveryContent(of: newAttachments, transaction)
    let agrees = try reader.agrees(newHead, transaction)
    let findings = try reader.plainFindings(transaction, head: newHead, settings: settings)

    generation = row.generation
    index = CardIndex(reversed: summary.orders)
    titles = summary.titles
    attachments = newAttachments
    damaged = summary.damaged
    isComplete =
      !file.isSalvaged && hasSettings && hasContents && newHead?.recordHash == summary.hash
      && newHead?.attachmentCount == UInt64(newAttachments.count) && newHead?.cardCount == summary.count
      && newHead?.documentCount == UInt64(documents.count) && agrees
    if let newHead { head = newHead }
    plainFindings = findings
  }

  /// Reads these cards and the settings again.
  private func applyChanges(to cards: [Identifier], _ transaction: borrowing ReadTransaction) throws {
    defer { buffer.wipe() }
    var orders: [Identifier: (order: CardOrder, places: [IndexedAttachment])] = [:]
    var gone: Set<Identifier> = []
    for card in cards {
      if let row = try transaction.card(card) {
        orders[card] = row.sealed.withRawSpan { order(of: row.id, row.revision, $0) }
      } else {
        gone.insert(card)
      }
    }
    if try !readSettings(transaction) { isComplete = false }

    for card in cards {
      index.remove(card)
      attachments.set(orders[card]?.places ?? [], of: card)
      if let order = orders[card]?.order {
        index.insert(order)
        if order.isInTrash { gone.insert(card) }
      } else if !gone.contains(card) {
        markDamaged(card)
      }
    }
    guard !cards.isEmpty else { return }
    titles.note(cards)
    note(.cards(changed: Set(cards).subtracting(gone), deleted: gone))
  }
}
