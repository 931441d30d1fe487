import VaultCrypto
import VaultInterface
package import VaultStore
import Wire

extension OpenVault {
  /// The number of changes after which the vault's state is written, besides at unlock and lock: as many can be rolled back
  /// unnoticed after the process was killed.
  private static let changesBetweenStates: Int64 = 16

  /// Compares the vault with its state when it was last open, and stores the current state.
  func compareWithLastKnownState(in states: StateDirectory?) throws {
    self.states = states
    guard states != nil, let now = try currentState() else { return }
    let last = LastKnownState(of: reader, in: states)
    needsNewReplica = replica != nil && last?.isAhead(of: now) ?? true
    if let last, last.isAhead(of: now) {
      older = OlderCopy(modifiedAt: now.modifiedAt, lastSeenModifiedAt: last.modifiedAt)
    } else {
      remember(now)
    }
  }

  /// Stores the current state, even if a newer one is stored.
  func acceptOlder() throws {
    older = nil
    if let now = try currentState() { remember(now) }
  }

  /// Stores the current state, if the vault changed a number of times since it was stored.
  func rememberChanges() {
    guard generation - remembered >= Self.changesBetweenStates, states != nil else { return }
    if let now = try? currentState() { remember(now) }
  }

  /// Returns what is to be written when the vault is locked; nil for nothing.
  func stateAtLock() -> [UInt8]? {
    guard states != nil, older == nil, isIntact, generation > remembered, let now = try? currentState()
    else { return nil }
    return try? seal(now)
  }

  /// The state as the file has it; nil if its head does not open.
  private func currentState() throws -> LastKnownState? {
    try LastKnownState(now: reader, index.newestModification)
  }

  private func remember(_ state: LastKnownState) {
    guard let states, let sealed = try? seal(state) else { return }
    states.write(sealed, .state, of: identifier)
    remembered = state.generation
  }

  private func seal(_ state: LastKnownState) throws -> [UInt8] {
    try reader.seal(.lastSeen, .zero, 0, state.encoded())
  }

  /// An open vault for another thread, with a separate connection.
  struct Copy: Sendable {
    private let reader: RecordReader
    private let slot: Identifier
    private let generation: Int64
    private let index: CardIndex
    private let titles: TitleIndex
    private let attachments: AttachmentIndex
    private let contentFamilies: ContentFamilies
    private let settings: (settings: Settings, values: KeyValueText, revision: Int64)
    private let sync: (replica: Identifier?, revision: Int64)

    /// Copies what is known of a vault that is intact.
    init(_ vault: OpenVault) throws {
      reader = try vault.reader.duplicate()
      reader.file.writeTimeout = VaultFile.defaultTimeout
      (slot, generation) = (vault.slot, vault.generation)
      (index, titles, attachments) = (vault.index, vault.titles, vault.attachments)
      contentFamilies = vault.contentFamilies
      sync = (vault.replica, vault.syncRevision)
      settings = (vault.settings, vault.settingsValues, vault.settingsRevision)
    }

    /// - Returns: nil if another process has changed the vault since the copy was made.
    func open() throws -> OpenVault? {
      let vault = try OpenVault(reader, slot: slot)
      guard vault.generation == generation else {
        vault.close()
        return nil
      }
      (vault.index, vault.titles, vault.attachments) = (index, titles, attachments)
      vault.contentFamilies = contentFamilies
      (vault.settings, vault.settingsValues, vault.settingsRevision) = settings
      (vault.replica, vault.syncRevision) = sync
      vault.commits = []
      return vault
    }
  }

  /// Takes over what a copy of this vault has committed.
  func takeOver(_ changes: [VaultChange]) {
    var taken: UInt32 = 0
    for change in changes where change.generation == generation + 1 {
      apply(change)
      taken += 1
    }
    guard taken > 0 else { return }
    try? file.read { transaction in
      // If another process has written too, the next refresh applies its changes.
      guard let appliedCommit, let last = file.lastCommit, last.follows(appliedCommit, by: taken) else {
        return
      }
      dataVersion = try transaction.dataVersion()
      self.appliedCommit = last
    }
  }

  var integrity: Integrity { !isIntact ? .damaged : older == nil ? .intact : .older }

  /// Throws what forbids to change the vault.
  func requireWritable() throws(VaultError) {
    guard isIntact else { throw .damaged(damaged.first) }
    guard older == nil else { throw .older }
    guard !file.isReadOnly, !needsNewReplica else { throw .readOnly }
  }

  /// Whether the vault can be read and not written, as far as is known: its file was opened so, or the last write failed
  /// for that reason.
  var isReadOnly: Bool { file.isReadOnly || couldNotBeWritten }

  /// Runs a write that reading does not need: does nothing if the file can only be read.
  func writingIfPossible(_ write: () throws -> Void) throws {
    do {
      try write()
    } catch VaultError.readOnly {
    } catch let error as StoreError where error.preventsWritingOnly {
    }
  }

  /// Runs a write, and notes whether the file can be written.
  func notingWhetherWritable<Value>(_ write: () throws -> Value) throws -> Value {
    do {
      let value = try write()
      couldNotBeWritten = false
      return value
    } catch let error as StoreError where error.preventsWritingOnly {
      couldNotBeWritten = true
      throw error
    }
  }

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
  package func syncDocument(_ transaction: borrowing ReadTransaction) throws -> SyncDocument? {
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

  /// Whether the log has commits that the file may lack.
  var needsCheckpoint: Bool {
    guard let last = file.lastCommit else { return false }
    return !last.isOfEmptyLog && checkpoint?.completed != last
  }

  /// Begins a checkpoint, unless one runs.
  func beginCheckpoint() {
    guard needsCheckpoint, checkpoint?.isRunning != true, let last = file.lastCommit else { return }
    checkpoint = try? Checkpoint(of: file, upTo: last)
  }
}

/// Copies the log of a vault's file into the file on another thread, so that a copy of the file alone is complete.
///
/// No request waits for it. It stays incomplete while another process reads an older state.
final class Checkpoint: @unchecked Sendable {
  /// The last commit in the log when it began.
  private let last: CommitMark
  /// A connection for the other thread alone.
  private let file: VaultFile
  private var task: ParallelTask<Bool>?

  /// Begins it on a new connection.
  init(of file: VaultFile, upTo last: CommitMark) throws {
    (self.last, self.file) = (last, try file.duplicate())
    task = ParallelTask { [self] in try run() }
  }

  private func run() throws -> Bool {
    defer { try? file.close() }
    return try file.checkpoint(emptiesLog: false)
  }

  var isRunning: Bool { task?.result == nil }

  /// The commit up to which the file is complete; nil if that is unknown.
  var completed: CommitMark? {
    guard case .success(true) = task?.result else { return nil }
    return last
  }

  /// Waits for its end, unless it has not begun yet: then it does not any more.
  func join() {
    _ = try? task?.join()
    try? file.close()
  }
}
