import Identifiers
import VaultCrypto
public import VaultModel
import VaultStore

/// One vault in use by one client: locked, or unlocked until ``lock(_:)``.
///
/// Every member belongs to the actor that owns the session. Errors are of any kind that the rooms below throw;
/// ``VaultError/init(_:)`` tells what each comes to.
///
/// ```swift
/// let session = VaultSession(path: path, clock: SystemClock())
/// try await session.unlock(password: password)
/// let card = try session.card(id)
/// session.lock(.request)
/// ```
public final class VaultSession {
  /// The fewest characters of a new password, as a person counts them (R11).
  public static let shortestPassword = 8
  /// The most code points of a password.
  public static let longestPassword = 1_024

  /// Where the vault is.
  public let path: String

  let clock: any Clock
  /// What tells this user of this machine from every other.
  let device: String
  /// How long to wait for another process that is trying a password.
  var attemptPatience = Duration.seconds(15)
  private var knownDevice: Identifier?
  private var file: VaultFile?
  /// The vault while it is unlocked.
  var opened: OpenVault?
  /// The log's entry of a lock in the midst of a transaction, which is written when that is over.
  private var lateEntry: EventRow?
  /// The language of the settings as far as it is known while the vault is locked.
  private var lockedLanguage: Language?

  /// A session of a locked vault, which need not exist yet.
  ///
  /// - Parameter device: what tells this user of this machine from every other.
  public init(path: String, clock: any Clock, device: String = "") {
    self.path = path
    self.device = device
    self.clock = clock
  }

  /// Whether no card can be read.
  public var isLocked: Bool { opened == nil }

  /// The vault while it is unlocked.
  ///
  /// - Throws: ``VaultError/locked``.
  func unlocked() throws -> OpenVault {
    guard let opened else { throw VaultError.locked }
    return opened
  }

  /// The file, opened where it is not open yet, and anew where another file has taken its place while locked.
  func vaultFile() throws -> VaultFile {
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

  /// Opens the file, as far as it can be read where SQLite refuses it twice: a disk that failed to read for a moment looks
  /// like damage to SQLite.
  private static func open(at path: String) throws -> VaultFile {
    for _ in 0..<2 {
      do { return try VaultFile.open(at: path) } catch StoreError.corrupt {}
    }
    return try VaultFile.salvage(at: path) { _ in true }
  }

  /// The device at hand, for the vault of this file.
  func thisDevice(in file: VaultFile) throws -> Identifier {
    if let knownDevice { return knownDevice }
    return try thisDevice(of: file.read { try $0.vault().vaultID })
  }

  private func thisDevice(of vault: Identifier) throws -> Identifier {
    if let knownDevice { return knownDevice }
    let identifier = try Identifier(device: device, of: vault)
    knownDevice = identifier
    return identifier
  }

  private func forgetFile() {
    file = nil
    knownDevice = nil
  }

  /// Takes in a file that was just made.
  func adopt(_ file: VaultFile) {
    forgetFile()
    self.file = file
  }

  /// Closes the file of a vault that is locked.
  func closeFile() {
    try? file?.close()
    file = nil
  }

  /// Closes the file, and with it everything that is known of the vault.
  public func close() {
    opened?.close()
    opened = nil
    try? file?.close()
    forgetFile()
  }
}

// MARK: State

extension VaultSession {
  /// Where a vault stands before anybody unlocks it.
  public struct Status: Sendable, Hashable {
    /// Whether there is a vault.
    public var exists: Bool
    /// Whether the device at hand is bound to it.
    public var isBound = false
    /// Whether the settings let a finger unlock the vault, as far as they are known while it is locked.
    public var allowsFingerprint = true
    /// Wrong passwords since the last right one.
    public var failedAttempts: Int
    /// How long a password is still refused, in seconds.
    public var retryAfterSeconds: Int
  }

  /// Where the vault stands; a path with nothing there is no error. In the same look at the file an unlocked vault reads what
  /// other processes wrote, as ``refresh()`` does.
  ///
  /// - Throws: ``VaultError/changed`` as ``refresh()``.
  public func status() throws -> Status {
    do {
      let (row, isBound, allowsFingerprint) =
        if let opened {
          try lookAround(opened)
        } else {
          try readingAround { file in
            let device = try thisDevice(in: file)
            return try file.read { transaction in
              let settings = OpenSettings(text: try transaction.vault().openSettings) ?? OpenSettings()
              return (try transaction.lockout(), try transaction.hasSlot(device), settings.biometricUnlock)
            }
          }
        }
      let lockout = Lockout(row)
      return Status(
        exists: true, isBound: isBound, allowsFingerprint: allowsFingerprint,
        failedAttempts: lockout.failedAttempts,
        retryAfterSeconds: lockout.remainingSeconds(at: clock))
    } catch StoreError.notFound {
      return Status(exists: false, isBound: false, failedAttempts: 0, retryAfterSeconds: 0)
    }
  }

  private func lookAround(_ vault: OpenVault) throws -> (LockoutRow?, isBound: Bool, allowsFingerprint: Bool)
  {
    let device = try thisDevice(of: vault.identifier)
    let (lockout, isBound) = try vault.standing(of: device)
    return (lockout, isBound, vault.settings.biometricUnlock)
  }

  /// What a client is told of a vault that it has unlocked.
  public struct Summary: Sendable, Hashable {
    /// How many cards there are, damaged ones included.
    public var cardCount: Int
    /// Whether every record is there and whole.
    public var isIntact: Bool
    /// The settings.
    public var settings: Settings
  }

  /// What a client is told of the vault that it has unlocked.
  ///
  /// - Throws: ``VaultError/locked``.
  public func summary() throws -> Summary {
    let vault = try unlocked()
    return Summary(
      cardCount: vault.index.count + vault.damaged.count, isIntact: vault.isIntact, settings: vault.settings)
  }

  /// Reads what other processes wrote since the last look.
  ///
  /// - Returns: ``takeForeignChanges()``.
  /// - Throws: ``VaultError/changed`` where the password was changed or the file is gone: the vault must be locked.
  public func refresh() throws -> ForeignChanges? {
    try opened?.refresh()
    return takeForeignChanges()
  }

  /// What other processes were seen to change since this was last asked; nil for nothing, or while the vault is locked.
  public func takeForeignChanges() -> ForeignChanges? {
    defer { opened?.foreignChanges = nil }
    return opened?.foreignChanges
  }

  /// The language that the settings name; nil where they leave it to the client, or nothing is known of them.
  public var chosenLanguage: Language? {
    if let opened { return opened.settings.language.language }
    return lockedLanguage
  }

  /// Learns the language from the file, for messages while the vault is locked.
  public func readOpenSettings() {
    guard opened == nil, let file = try? vaultFile(), let row = try? file.read({ try $0.vault() }) else {
      return
    }
    lockedLanguage = OpenSettings(text: row.openSettings)?.language.language
  }
}

// MARK: Locking

/// Why a vault was locked (R12). The raw values stand in the log.
public enum LockReason: String, Sendable, Hashable, CaseIterable {
  case request, timeout, background, deviceLocked, sleep, passwordChanged, shutdown
}

extension VaultSession {
  /// Locks the vault: the key, the index and the file are let go.
  ///
  /// What stays in memory until the process is replaced is what the allocator has not given to somebody else yet. The log goes
  /// without its entry where another process is writing at that moment: a lock waits for nobody.
  ///
  /// - Returns: whether it was unlocked.
  @discardableResult public func lock(_ reason: LockReason) -> Bool {
    guard let file = opened?.file else { return false }
    opened?.release()
    opened = nil
    let entry = event(.locked, reason: reason.rawValue)
    do {
      try file.appendEventAtOnce(entry)
    } catch StoreError.nestedTransaction {
      lateEntry = entry
    } catch {}
    try? file.close()
    close()
    return true
  }

  /// Writes the log's entry of a lock that came in the midst of a transaction, now that this was rolled back.
  func writeLateEntry() {
    guard let entry = lateEntry else { return }
    lateEntry = nil
    try? vaultFile().appendEventAtOnce(entry)
    closeFile()
  }
}
