import VaultCrypto
public import VaultInterface
package import VaultStore
package import Wire

/// One vault in use by one client: locked, or unlocked until ``lock(_:)``.
///
/// Every member belongs to the actor that owns the session. Errors are of any kind that the modules below throw;
/// ``VaultError/init(_:)`` maps them.
///
/// ```swift
/// let session = VaultSession(path: path, clock: SystemClock())
/// try await session.unlock(password: password)
/// let card = try session.card(id)
/// session.lock(.request)
/// ```
public final class VaultSession {
  /// The fewest characters of a new password, as a person counts them (R11).
  public static let minimumPasswordLength = 8
  /// The most code points of a password.
  public static let maximumPasswordLength = 1_024

  /// The path of the vault file.
  public let path: String

  let clock: any Clock
  /// Identifies this user on this machine.
  let device: String
  /// Stores the vault's state; nil to store none.
  let states: StateDirectory?
  /// The timeout for another process that is trying a password.
  var attemptTimeout = Duration.seconds(15)
  /// The timeout for another process that writes to the vault.
  var writeTimeout = VaultFile.defaultTimeout
  /// What was found in synchronised folders since the vault was opened.
  let folderFindings = FolderFindings()
  /// The calls on synchronised folders, by their paths: one that stalls does not delay another.
  private var folderCalls: [String: StallableCalls] = [:]
  private var knownDevice: Identifier?
  /// Knows the conflict files beside the vault.
  var conflicts: ConflictFiles
  private(set) var file: VaultFile?
  /// The vault while it is unlocked.
  var opened: OpenVault?
  /// Cancels the background tasks on the open vault, one of which may be in a transaction.
  var backgroundTasks: [Int: @Sendable () -> Void] = [:]
  /// What waits for the last of them.
  var backgroundEnd: [CheckedContinuation<Void, Never>] = []
  /// The log entry of a lock during a background task's transaction or a repair, written when that is over.
  var delayedLogEntry: EventRow?
  /// Whether a repair, which has closed the vault, opens it again.
  var reopensAfterRepair = false
  /// The attempts that the file does not have, because it could not be written; nil if it has all.
  public internal(set) var unstoredAttempts: UnstoredAttempts?
  /// The language of the settings, as stored in plaintext.
  var lockedLanguage: Language?

  /// Makes a session of a locked vault, which need not exist yet.
  ///
  /// - Parameters:
  ///   - device: identifies this user on this machine.
  ///   - states: where to remember the vault's state, to notice an older copy of the file; nil for nowhere.
  ///   - attempts: what a process that this one replaces could not store.
  public init(
    path: String, clock: any Clock, device: String = "", states: StateDirectory? = nil,
    attempts: UnstoredAttempts? = nil
  ) {
    unstoredAttempts = attempts
    self.states = states
    self.path = path
    conflicts = ConflictFiles(besideVaultAt: path)
    self.device = device
    self.clock = clock
  }

  /// The calls on a folder.
  package func calls(on folder: UserPath) -> StallableCalls {
    if let known = folderCalls[folder.path] { return known }
    let calls = StallableCalls()
    folderCalls[folder.path] = calls
    return calls
  }

  /// The time by the session's clock.
  public var now: Timestamp { Timestamp(milliseconds: clock.wall) }

  public var isLocked: Bool { opened == nil }

  /// The number of changes that the open vault has had; nil while it is locked.
  public var generation: Int64? { opened?.generation }

  /// Whether the open vault's file alone may lack changes: they are in its log.
  public var needsCheckpoint: Bool { opened?.needsCheckpoint ?? false }

  /// Begins to copy the open vault's log into its file, on another thread. ``needsCheckpoint`` is false when that was complete.
  public func beginCheckpoint() {
    opened?.beginCheckpoint()
  }

  /// The vault while it is unlocked.
  ///
  /// - Throws: ``VaultError/locked``.
  package func unlocked() throws -> OpenVault {
    guard let opened else { throw VaultError.locked }
    return opened
  }

  /// The open file; opens it if it is not open, or if it was replaced while the vault was locked.
  package func vaultFile() throws -> VaultFile {
    if let file {
      if opened != nil { return file }
      if (try? file.dataVersion()) != nil { return file }
      try? file.close()
      forgetFile()
    }
    let file = try Self.open(at: path)
    self.file = file
    return file
  }

  /// The open file. One of a locked vault that was opened for reading only is opened again: it may be possible to write by now.
  func reopenedFile() throws -> VaultFile {
    if isLocked, try vaultFile().isReadOnly { closeFile() }
    return try vaultFile()
  }

  /// Opens the file; salvages it if SQLite refuses it twice, since to SQLite a temporary read error looks like damage.
  private static func open(at path: String) throws -> VaultFile {
    for _ in 0..<2 {
      do { return try VaultFile.open(at: path) } catch StoreError.corrupt {}
    }
    return try VaultFile.salvage(at: path) { _ in true }
  }

  /// Returns the identifier of this device for the vault of a file.
  func thisDevice(in file: VaultFile) throws -> Identifier {
    if let knownDevice { return knownDevice }
    return try thisDevice(of: file.read { try $0.vaultID() })
  }

  func thisDevice(of vault: Identifier) throws -> Identifier {
    if let knownDevice { return knownDevice }
    let identifier = try Identifier(device: device, of: vault)
    knownDevice = identifier
    return identifier
  }

  private func forgetFile() {
    file = nil
    knownDevice = nil
  }

  /// Uses a file that was just opened or created.
  func adopt(_ file: VaultFile) {
    forgetFile()
    self.file = file
  }

  /// A name for the key of the unlocked vault; nil while it is locked. A file with another key has another one, whatever it says
  /// that its id is.
  package var keyIdentifier: Identifier? { try? opened?.reader.epoch }

  /// Closes the file of a vault that is locked.
  package func closeFile() {
    try? file?.close()
    file = nil
  }

  /// Closes the file and forgets everything about the vault.
  public func close() {
    opened?.close()
    opened = nil
    try? file?.close()
    forgetFile()
  }

  /// Runs `body`, and runs it again every few milliseconds while another process writes to the vault, for up to
  /// `VaultFile.defaultTimeout`. It must not have changed anything when it throws `StoreError.busy`.
  ///
  /// - Parameter waiting: how it waits, which is asked only where it does.
  /// - Throws: what `body` throws, at last `StoreError.busy`; `CancellationError`.
  public func waitingForOthers<Value>(
    as waiting: @autoclosure () -> Waiting = Waiting.current, _ body: () async throws -> Value
  ) async throws -> Value {
    let end = ContinuousClock.now + writeTimeout
    do { return try await body() } catch StoreError.busy where ContinuousClock.now < end {}
    var value: Value?
    try await waiting().interruptibly {
      while value == nil {
        try await Task.sleep(for: .milliseconds(5))
        do { value = try await body() } catch StoreError.busy where ContinuousClock.now < end {}
      }
    }
    guard let value else { throw CancellationError() }
    return value
  }

  /// Locks the vault: releases the key and the index, and closes the file.
  ///
  /// Freed memory that was not reused yet stays until the process is replaced. The log entry is left out if another process
  /// is writing at that moment, because a lock does not wait.
  ///
  /// - Returns: whether the vault was unlocked.
  @discardableResult public func lock(_ reason: LockReason) -> Bool {
    guard let file = opened?.file else { return lockDuringRepair(reason) }
    let state = opened?.stateAtLock()
    let (states, vault) = (opened?.states, opened?.identifier)
    opened?.release()
    opened = nil
    for cancel in backgroundTasks.values { cancel() }
    let entry = event(.locked, reason: reason.rawValue)
    do {
      if vault.map({ recordOnMachine(entry, of: $0) }) != true {
        try file.appendFinalEvent(entry, waits: backgroundTasks.isEmpty)
      }
    } catch StoreError.busy where !backgroundTasks.isEmpty {
      delayedLogEntry = entry
    } catch {}
    try? file.close()
    close()
    if let state, let vault { states?.write(state, .state, of: vault) }
    return true
  }

  /// Keeps a repair from opening the vault again when it ends.
  private func lockDuringRepair(_ reason: LockReason) -> Bool {
    guard reopensAfterRepair else { return false }
    reopensAfterRepair = false
    delayedLogEntry = event(.locked, reason: reason.rawValue)
    return true
  }
}

/// The reason for a lock (R12). The raw values are stored in the log.
public enum LockReason: String, Sendable, Hashable, CaseIterable {
  case request, timeout, background, deviceLocked, sleep, passwordChanged, shutdown
}
