import Identifiers
import VaultCrypto
import VaultModel
import VaultStore

/// A vault that is unlocked: the key, and an index of ids, times and pins. Cards are opened when somebody asks for them.
final class OpenVault {
  /// What opens records on this thread.
  let reader: RecordReader
  /// The slot that opened it; when it is gone, the password was changed elsewhere, or this device revoked.
  var slot: Identifier
  /// The slot of the password, which may be another; when it is gone, the password was changed elsewhere.
  var passwordSlot: Identifier
  /// What opens records on another thread, once it was wanted.
  private var secondReader: RecordReader?
  /// Whether another thread has the second reader at the moment.
  private var isLent = false
  /// Whether the vault was locked.
  private(set) var isClosed = false

  var generation: Int64
  var head: VaultHead
  var index = CardIndex()
  var attachments = AttachmentIndex()
  /// The cards, and the attachments, that do not open.
  var damaged: Set<Identifier> = []
  /// Whether the records are those that the head vouches for.
  var isComplete = true
  var settings = Settings()
  /// The settings as they are written, with those that a newer program has set.
  var settingsValues = SettingsText()
  var settingsRevision: Int64 = 0
  var foreignChanges: ForeignChanges?
  private var dataVersion: Int64
  /// A commit that was taken in.
  private var seen: CommitMark?
  /// Where the vault stood at a commit.
  private var standing: (mark: CommitMark, device: Identifier, lockout: LockoutRow?, isBound: Bool)?

  /// Whether every record is there and whole; a vault that is not is only read.
  var isIntact: Bool { isComplete && damaged.isEmpty }

  var file: VaultFile { reader.file }
  var keys: VaultKeys { reader.keys }
  var identifier: Identifier { reader.vault }
  /// Where records are opened, one after another.
  var buffer: PlaintextBuffer { reader.buffer }

  /// Opens every record of the file in passing, and checks the record hash.
  ///
  /// - Parameters:
  ///   - second: another connection to the file, where one was made already.
  ///   - first: what this thread does while another begins to read.
  /// - Throws: what `first` throws; `StoreError`, or `CryptoError` where the key is none.
  static func open(
    _ file: VaultFile, second: VaultFile? = nil, vaultKey: SecretBytes, slot: Identifier,
    doing first: () throws -> Void = {}
  ) throws -> OpenVault {
    let vault: OpenVault
    do {
      vault = try OpenVault(file, vaultKey: vaultKey, slot: slot)
      if let second { vault.secondReader = try vault.reader.duplicate(second) }
    } catch {
      try first()
      throw error
    }
    let (summary, generation) = try vault.scan({ VaultSummary() }, doing: first)
    try file.read { transaction in
      let isCurrent = try transaction.vault().generation == generation
      try vault.readEverything(transaction, summary: isCurrent ? summary : nil)
    }
    return vault
  }

  private init(_ file: VaultFile, vaultKey: SecretBytes, slot: Identifier) throws {
    self.slot = slot
    dataVersion = try file.dataVersion()
    let (row, slots) = try file.read { (try $0.vault(), try $0.slots()) }
    passwordSlot = slots.first { $0.kind == KeySlot.Kind.password.rawValue }?.id ?? slot
    reader = RecordReader(file, keys: try VaultKeys(vaultKey: vaultKey), vault: row.vaultID)
    generation = row.generation
    head = VaultHead(emptyAt: UInt64(clamping: row.generation))
    if let head = try? reader.head(row) { self.head = head }
  }

  /// What opens records on another thread, until ``takeBackAssistant()``; nil where the system does not let the file be
  /// opened twice.
  func lendAssistant() -> RecordReader? {
    if secondReader == nil { secondReader = try? reader.duplicate() }
    isLent = secondReader != nil
    return secondReader
  }

  /// The other thread is done.
  func takeBackAssistant() {
    isLent = false
    if isClosed { closeAssistant() }
  }

  private func closeAssistant() {
    try? secondReader?.file.close()
    secondReader = nil
  }

  /// Takes in what other processes wrote since the last look.
  ///
  /// - Throws: ``VaultError/changed`` where the password was changed, or the file replaced or put back.
  func refresh() throws {
    try throwingChanged {
      let mark = try file.commitMark()
      if let mark, mark == seen { return }
      if try file.dataVersion() != dataVersion { try file.read { try catchUp($0) } }
      seen = mark
    }
  }

  /// Remembers a commit of this vault's own as taken in, where nobody has committed since.
  func noteOwnCommit(after before: CommitMark?) {
    if let before, let now = file.lastCommit, now.isNext(after: before) { seen = now }
  }

  /// Takes in what other processes wrote since the last look, and tells where the vault stands: the failed attempts, and
  /// whether a device is bound to it. Nothing is read where nobody wrote since this was last asked.
  ///
  /// - Throws: ``VaultError/changed`` as ``refresh()``.
  func standing(of device: Identifier) throws -> (lockout: LockoutRow?, isBound: Bool) {
    try throwingChanged {
      let mark = try file.commitMark()
      if let mark, let standing, standing.mark == mark, standing.device == device {
        return (standing.lockout, standing.isBound)
      }
      return try file.read { transaction in
        if try transaction.dataVersion() != dataVersion { try catchUp(transaction) }
        let (lockout, isBound) = (try transaction.lockout(), try transaction.hasSlot(device))
        seen = mark
        standing = mark.map { ($0, device, lockout, isBound) }
        return (lockout, isBound)
      }
    }
  }

  private func throwingChanged<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch StoreError.changed {
      throw VaultError.changed
    }
  }

  /// Reads in one snapshot, with the index as it is in that snapshot.
  func reading<Value>(_ body: (borrowing ReadTransaction) throws -> Value) throws -> Value {
    try file.read { transaction in
      try catchUp(transaction)
      return try body(transaction)
    }
  }

  /// Takes in what other processes wrote before this snapshot. When it throws, nothing was taken in.
  ///
  /// A write that no new generation accounts for may be an attempt to unlock or an entry of the log, or damage: only
  /// the record hash over everything tells.
  func catchUp(_ transaction: borrowing ReadTransaction) throws {
    let version = try transaction.dataVersion()
    let row = try transaction.vault()
    guard version != dataVersion || row.generation != generation else { return }
    guard row.vaultID == identifier, row.generation >= generation,
      Set(try transaction.slots().map(\.id)).isSuperset(of: [slot, passwordSlot])
    else { throw VaultError.changed }

    if isIntact, row.generation > generation, let newHead = try? reader.head(row),
      let changed = newHead.cardsChanged(after: UInt64(clamping: generation))
    {
      try takeIn(changed.map { $0 }, transaction)
      (generation, head) = (row.generation, newHead)
    } else {
      let (before, damagedBefore, wasComplete) = (generation, damaged, isComplete)
      try readEverything(transaction)
      if generation != before || damaged != damagedBefore || isComplete != wasComplete { note(.all) }
    }
    dataVersion = version
  }

  /// Closes the files: that which another thread is reading, as soon as it is done.
  func close() {
    release()
    try? file.close()
  }

  /// Ends the use of the key, and of every file but ``file``.
  func release() {
    isClosed = true
    if !isLent { closeAssistant() }
  }

  private func note(_ changes: ForeignChanges) {
    foreignChanges = foreignChanges?.followed(by: changes) ?? changes
  }

  /// Remembers that a card does not open: the vault is only read from now on.
  func markDamaged(_ card: Identifier) {
    index.remove(card)
    damaged.insert(card)
  }

  /// Reads the head, the index and the settings anew, and checks the record hash over all of it.
  ///
  /// - Parameter summary: what reading every card came to, where somebody has done so in this generation.
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
    settingsRevision = -1
    let hasSettings = try readSettings(transaction)
    let newHead = try? reader.head(row)
    let newAttachments = AttachmentIndex(summary.attachments)
    let hasContents = try hasEveryContent(of: newAttachments, transaction)

    generation = row.generation
    index = CardIndex(reversed: summary.orders)
    attachments = newAttachments
    damaged = summary.damaged
    isComplete =
      !file.isSalvaged && hasSettings && hasContents && newHead?.recordHash == summary.hash
      && newHead?.attachmentCount == UInt64(newAttachments.count) && newHead?.cardCount == summary.count
      && newHead?.documentCount == UInt64(documents.count)
    if let newHead { head = newHead }
  }

  /// Reads these cards anew, and the settings.
  private func takeIn(_ cards: [Identifier], _ transaction: borrowing ReadTransaction) throws {
    defer { buffer.wipe() }
    var orders: [Identifier: (order: CardOrder, places: [AttachmentPlace])] = [:]
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
      } else if !gone.contains(card) {
        markDamaged(card)
      }
    }
    guard !cards.isEmpty else { return }
    note(.cards(changed: Set(cards).subtracting(gone), deleted: gone))
  }

  /// Opens a card as far as the index needs it; nil where it does not open.
  private func order(
    of id: Identifier, _ revision: Int64, _ sealed: RawSpan
  ) -> (order: CardOrder, places: [AttachmentPlace])? {
    guard (try? reader.open(.card, id, revision, sealed)) != nil else { return nil }
    return try? buffer.withContent { record in
      let head = try CardRecord.head(of: record)
      let order = CardOrder(pinned: head.pinned, modifiedAt: head.modifiedAt, id: id)
      return (order, try CardRecord.attachments(of: record))
    }
  }
}
