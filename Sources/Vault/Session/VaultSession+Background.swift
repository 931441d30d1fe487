package import VaultCrypto
package import VaultInterface
package import VaultStore
package import Wire

extension VaultSession {
  /// Does long work on an open vault in the background, and reports its progress.
  ///
  /// If the task is cancelled or the vault locked, the work is cancelled. Its result is still returned if it had already ended.
  ///
  /// - Parameter work: gets a function that notes the progress in percent, and throws `CancellationError` if the work is cancelled.
  /// - Throws: what the work throws; `CancellationError`; ``VaultError/locked``.
  package func runLongWork<Value: Sendable>(
    on vault: any VaultAccess, _ report: (Int) async -> Void,
    _ work: @escaping @Sendable (_ note: @Sendable (Int) throws -> Void) async throws -> Value
  ) async throws -> Value {
    let (steps, progress) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let task = BackgroundTask {
      defer { progress.finish() }
      return try await work { percentage in
        try Task.checkCancellation()
        progress.yield(percentage)
      }
    }
    let number = (backgroundTasks.keys.max() ?? 0) + 1
    backgroundTasks[number] = { task.cancel() }
    defer { backgroundTaskEnded(number) }
    do {
      // The operation does not run on the caller's executor, so it must not use the session.
      return try await withTaskCancellationHandler {
        for await percentage in steps { await report(percentage) }
        return try await task.value(whenCancelled: .wait)
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw isOpen(vault) ? error : VaultError.locked
    }
  }

  /// Changes an open vault in the background, on a separate connection.
  ///
  /// Nothing is stored of a transaction if the task is cancelled, or the vault locked, before it is committed. Other writers meet
  /// `busy` during one, as they do with another process.
  ///
  /// - Parameter work: gets a copy of the vault, and returns its result. It returns nil if it found the vault changed by another
  ///   process; it is then called again, at most three times.
  /// - Throws: as ``runLongWork(on:_:_:)``; ``VaultError/damaged(_:)`` for a vault that is not intact; `StoreError`.
  package func changeInBackground<Value: Sendable>(
    _ report: (Int) async -> Void,
    _ work:
      @escaping @Sendable (
        _ copy: any VaultAccess, _ note: @Sendable (Int) throws -> Void
      ) throws -> Value?
  ) async throws -> Value {
    let vault = try unlocked()
    let result = try await runOnCopy(of: vault, report) { vault in
      try vault.requireWritable()
      return try OpenVault.Copy(vault)
    } _: { copy, note in
      try work(copy, note).map { (value: $0, changes: copy.commits ?? []) }
    }
    if isOpen(vault) { vault.takeOver(result.changes) }
    return result.value
  }

  /// Does long work on a copy of an open vault, as ``runLongWork(on:_:_:)`` does.
  ///
  /// - Parameters:
  ///   - copy: copies the vault when it has the changes of other processes.
  ///   - work: returns nil if it found the vault changed by another process; it then gets a new copy, at most three times in all.
  func runOnCopy<Value: Sendable>(
    of vault: OpenVault, _ report: (Int) async -> Void, _ copy: (OpenVault) throws -> OpenVault.Copy,
    _ work: @escaping @Sendable (OpenVault, _ note: @Sendable (Int) throws -> Void) throws -> Value?
  ) async throws -> Value {
    for _ in 0..<3 {
      try checkIsOpen(vault)
      try vault.refresh()
      let copy = try copy(vault)
      let value = try await runLongWork(on: vault, report) { note in
        guard let vault = try copy.open() else { return nil as Value? }
        defer { vault.close() }
        return try work(vault, note)
      }
      if let value { return value }
    }
    throw StoreError(.busy)
  }

  /// Whether work in the background uses the vault.
  package var isWorking: Bool { !backgroundTasks.isEmpty }

  /// Waits until no work in the background uses the vault. A lock cancels all of it.
  package func awaitBackgroundWork() async {
    guard isWorking else { return }
    await withCheckedContinuation { backgroundEnd.append($0) }
  }

  private func backgroundTaskEnded(_ number: Int) {
    backgroundTasks[number] = nil
    guard !isWorking else { return }
    defer {
      for waiting in backgroundEnd { waiting.resume() }
      backgroundEnd = []
    }
    guard delayedLogEntry != nil else { return }
    appendDelayedLogEntry()
    if isLocked { closeFile() }
  }

  /// Writes the log entry of a lock that came while the file could not be written.
  func appendDelayedLogEntry() {
    guard let entry = delayedLogEntry else { return }
    delayedLogEntry = nil
    try? vaultFile().appendFinalEvent(entry)
  }

  /// Returns the vault while it is unlocked.
  ///
  /// - Throws: ``VaultError/locked``.
  package func access() throws -> any VaultAccess { try unlocked() }

  /// - Throws: ``VaultError/locked`` where a vault is no longer the one that this session has open.
  package func checkIsOpen(_ vault: any VaultAccess) throws {
    guard isOpen(vault) else { throw VaultError.locked }
  }

  func isOpen(_ vault: any VaultAccess) -> Bool { opened === vault }

  /// - Throws: ``VaultError/readOnly`` where the vault's file cannot be written.
  package func requireWritableFile() throws {
    guard try !vaultFile().isReadOnly else { throw VaultError.readOnly }
  }

  /// Opens a file that holds a vault of a known key, such as a backup, and ends early if the task is cancelled.
  ///
  /// - Throws: also `CancellationError`.
  package static func open(
    _ file: VaultFile, vaultKey: SecretBytes, slot: Identifier = .zero
  ) throws -> any VaultAccess {
    try OpenVault.open(file, vaultKey: vaultKey, slot: slot, checkpoint: .cancellable)
  }

  /// Opens the session's file, and salvages it if SQLite cannot read it.
  package func open(vaultKey: SecretBytes, slot: Identifier) throws -> any VaultAccess {
    try open(second: nil, vaultKey: vaultKey, slot: slot)
  }

  /// Closes the vault while `body` repairs its file, then opens it again if it was unlocked, and not locked meanwhile: that
  /// cancels `body`.
  ///
  /// - Parameter body: returns its value and, if there was nothing to repair, the vault that it opened.
  package func repairingFile<Value>(
    vaultKey: SecretBytes, slot: Identifier,
    _ body: () async throws -> (value: Value, unchanged: (any VaultAccess)?)
  ) async throws -> Value {
    reopensAfterRepair = !isLocked
    opened?.close()
    opened = nil
    defer {
      reopensAfterRepair = false
      if isLocked {
        appendDelayedLogEntry()
        closeFile()
      }
    }
    do {
      let (value, unchanged) = try await body()
      if !reopensAfterRepair { unchanged?.close() }
      if reopensAfterRepair {
        let vault = try unchanged as? OpenVault ?? open(second: nil, vaultKey: vaultKey, slot: slot)
        try vault.compareWithLastKnownState(in: states)
        // What was lost may have had the number of the next write.
        if unchanged == nil, vault.replica != nil { try assignNewReplica(of: vault, at: replicaPlace()) }
        opened = vault
      }
      if unchanged == nil { record(.repaired) }
      return value
    } catch {
      if reopensAfterRepair, let vault = try? open(second: nil, vaultKey: vaultKey, slot: slot) {
        try? vault.compareWithLastKnownState(in: states)
        opened = vault
      }
      throw error
    }
  }
}

/// Everything that maintenance (the module `VaultMaintenance`) may do with an unlocked vault.
///
/// Together with the members of ``VaultSession`` below, this is the whole interface between the two modules.
package protocol VaultAccess: AnyObject {
  /// Opens and seals records on the thread of the session.
  var reader: RecordReader { get }
  var head: VaultHead { get }
  /// The number of changes since the vault was created.
  var generation: Int64 { get }
  var attachments: AttachmentIndex { get }
  var contentFamilies: ContentFamilies { get }
  /// The number of cards, damaged ones included.
  var cardCount: Int { get }
  /// Whether every record is there and opens; a vault that is not intact cannot be changed.
  var isIntact: Bool { get }
  /// Whether the vault is intact, and the newest copy that is known.
  var integrity: Integrity { get }
  /// Throws what forbids to change the vault: ``VaultError/damaged(_:)``, ``VaultError/older``.
  func requireWritable() throws(VaultError)
  /// Whether the records are those that the head accounts for.
  var isComplete: Bool { get set }
  /// The damage of rows that are not sealed.
  var plainFindings: Set<Finding> { get set }
  /// The cards and attachments that do not open.
  var damaged: Set<Identifier> { get }
  var settings: Settings { get }
  /// The settings as stored, with those of newer programs.
  var settingsValues: KeyValueText { get }
  var settingsRevision: Int64 { get }

  /// Reads in one snapshot, after applying what other processes wrote.
  func reading<Value>(_ body: (borrowing ReadTransaction) throws -> Value) throws -> Value
  /// Visits every card, on two threads if there are many.
  ///
  /// - Returns: the visitor, and the generation that was read.
  func scan<Visitor: CardVisitor>(_ make: () -> Visitor) throws -> (visitor: Visitor, generation: Int64)
  /// Changes records in one transaction, together with the head that accounts for them.
  func change<Value>(_ body: (borrowing WriteTransaction, inout VaultChange) throws -> Value) throws -> Value

  func card(
    _ id: Identifier, at revision: Int?, in transaction: borrowing ReadTransaction, isInTrash: Bool?
  ) throws -> Card
  /// Writes a new card.
  func insert(
    _ card: SealedCard, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws
  /// Replaces a card by its next revision.
  func replace(
    _ card: Card, with changed: Card, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws
  func history(of id: Identifier, in transaction: borrowing ReadTransaction) throws -> CardHistory?
  /// Replaces the history of a card; nil removes it.
  ///
  /// - Parameter isNew: whether the card is known to have none.
  func put(
    _ history: CardHistory?, of id: Identifier, isNew: Bool, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws
  func attachment(_ id: Identifier, in transaction: borrowing ReadTransaction) throws -> Attachment
  func content(of attachment: Attachment, in transaction: borrowing ReadTransaction) throws -> PrivateBytes
  func removeContent(
    of attachment: IndexedAttachment, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws
  func write(
    _ settings: Settings, as values: KeyValueText, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws
  /// The identity of this file among the replicas of a synchronised vault; nil for one that is not.
  var replica: Identifier? { get }
  /// Reads the document of a synchronised vault; nil for one that is not.
  func syncDocument(_ transaction: borrowing ReadTransaction) throws -> SyncDocument?
  /// Writes the document of a synchronised vault; nil deletes it.
  func write(
    _ document: SyncDocument?, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws
  /// Returns the time to write into a record that is changed now; to be asked inside the transaction.
  func timeOfChange(_ clock: any Clock) -> Timestamp

  /// Remembers that a card does not open.
  func markDamaged(_ card: Identifier)
  func hasEveryContent(of: AttachmentIndex, _ transaction: borrowing ReadTransaction) throws -> Bool
  func opensEveryContent() throws -> Bool
  func close()
}

extension VaultAccess {
  /// Replaces the history of a card; nil removes it.
  package func put(
    _ history: CardHistory?, of id: Identifier, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    try put(history, of: id, isNew: false, transaction, &change)
  }

  /// Seals a new card.
  ///
  /// - Throws: `CryptoError`; `CardRecordError`.
  package func seal(_ card: Card) throws -> SealedCard {
    let sealed = try reader.seal(.card, card.id, card.revision, CardRecord.encode(card))
    return SealedCard(
      row: CardRow(id: card.id, revision: card.revision, sealed: sealed),
      element: try reader.element(.card, card.id, card.revision, sealed), order: card.order, tags: card.tags)
  }

  /// Writes a new card.
  package func insert(
    _ card: Card, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try insert(seal(card), transaction, &change)
  }
}

extension OpenVault: VaultAccess {
  var cardCount: Int { index.count + damagedCards.count }

  func scan<Visitor: CardVisitor>(_ make: () -> Visitor) throws -> (visitor: Visitor, generation: Int64) {
    try scan(make, doing: {})
  }
}
