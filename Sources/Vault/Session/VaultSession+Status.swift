public import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// The status of a vault, which is known without unlocking it.
  public struct Status: Sendable, Hashable {
    public var exists: Bool
    /// Whether this device is bound to the vault.
    public var isBound = false
    /// Whether the settings, as stored in plaintext, allow unlocking by fingerprint.
    public var allowsFingerprint = true
    /// Whether the vault can be read and not written.
    public var isReadOnly = false
    /// The wrong passwords since the last right one.
    public var failedAttempts: Int
    /// How long passwords are still refused, in seconds.
    public var retryAfterSeconds: Int
  }

  /// Returns the status of the vault, which need not exist. Applies what other processes wrote to an unlocked vault, as
  /// ``refresh()`` does.
  ///
  /// - Throws: what ``refresh()`` throws.
  public func status() throws -> Status {
    do {
      let (row, vault, isBound, allowsFingerprint, isReadOnly) =
        if let opened {
          try readLockStatus(opened)
        } else {
          try readingOrSalvaging { file in
            let device = try thisDevice(in: file)
            return try file.read { transaction in
              let settings =
                try transaction.plaintextSettings().flatMap(Settings.init(plaintext:)) ?? Settings()
              return (
                try transaction.lockout(), try transaction.vaultID(), try transaction.hasSlot(device),
                settings.isOn(.biometricUnlock),
                file.isReadOnly || unstoredAttempts != nil
              )
            }
          }
        }
      let lockout = lockout(row, of: vault)
      return Status(
        exists: true, isBound: isBound, allowsFingerprint: allowsFingerprint, isReadOnly: isReadOnly,
        failedAttempts: lockout.failedAttempts,
        retryAfterSeconds: lockout.remainingSeconds(at: clock))
    } catch StoreError.notFound {
      return Status(exists: false, isBound: false, failedAttempts: 0, retryAfterSeconds: 0)
    }
  }

  private func readLockStatus(
    _ vault: OpenVault
  ) throws -> (LockoutRow?, Identifier, isBound: Bool, allowsFingerprint: Bool, isReadOnly: Bool) {
    let device = try thisDevice(of: vault.identifier)
    let (lockout, isBound) = try vault.lockStatus(of: device)
    return (lockout, vault.identifier, isBound, vault.settings.isOn(.biometricUnlock), vault.isReadOnly)
  }

  /// A summary of an unlocked vault.
  public struct Summary: Sendable, Hashable {
    /// Whether every record is there and opens.
    public var isIntact: Bool { integrity != .damaged }
    /// The number of cards, damaged ones included.
    public var cardCount: Int
    /// Whether every record is there and opens, and the file is the newest copy that is known.
    public var integrity: Integrity
    /// Describes an older copy; nil if the file is not older, or the user accepted it.
    public var older: OlderCopy?
    /// Whether the vault can be read and not written.
    public var isReadOnly: Bool
    public var settings: Settings
  }

  /// Returns a summary of the unlocked vault.
  ///
  /// - Throws: ``VaultError/locked``.
  public func summary() throws -> Summary {
    let vault = try unlocked()
    return Summary(
      cardCount: vault.cardCount, integrity: vault.integrity, older: vault.older,
      isReadOnly: vault.isReadOnly, settings: vault.settings)
  }

  /// Accepts an older copy of the vault, such as a backup that was restored: from now on it can be changed, and is the one
  /// that is remembered.
  ///
  /// - Throws: ``VaultError/locked``.
  public func acceptOlder() throws {
    let vault = try unlocked()
    try vault.acceptOlder()
    try assignNewReplicaToCopy(vault)
  }

  /// Applies what other processes wrote since the last call.
  ///
  /// - Returns: ``takeExternalChanges()``.
  /// - Throws: what ``VaultError/init(_:)`` maps to ``VaultError/changed`` if the password was changed, or the file or its log
  ///   replaced or deleted: the vault must be locked.
  public func refresh() throws -> ExternalChanges? {
    try opened?.refresh()
    return takeExternalChanges()
  }

  /// Returns and clears the changes by other processes; nil for none, or while the vault is locked.
  public func takeExternalChanges() -> ExternalChanges? {
    defer { opened?.externalChanges = nil }
    return opened?.externalChanges
  }

  /// Returns and clears the changes by this process; nil for none, or while the vault is locked.
  public func takeOwnChanges() -> ExternalChanges? {
    guard let opened, let changes = opened.ownChanges else { return nil }
    opened.ownChanges = nil
    return changes
  }

  /// The language that the settings choose; nil if they leave it to the client or are not known yet.
  public var chosenLanguage: Language? {
    if let opened { return opened.settings.language.language }
    return lockedLanguage
  }

  /// Reads the language from the file, for messages while the vault is locked.
  public func readPlaintextSettings() {
    guard opened == nil, let file = try? vaultFile(),
      let text = try? file.read({ try $0.plaintextSettings() })
    else { return }
    lockedLanguage = Settings(plaintext: text)?.language.language
  }

  /// Checks whether there is a vault that can be opened, without changing it: it is not migrated, its permissions stay,
  /// and no file is created. The contents of its log are ignored.
  ///
  /// - Throws: ``VaultError/notAVault``, ``VaultError/newerVersion``, ``VaultError/damaged(_:)``, ``VaultError/notFound``,
  ///   ``VaultError/unavailable(_:)``.
  public static func checkFormat(at path: String) throws {
    do {
      let file = try VaultFile.openImmutable(at: path)
      defer { try? file.close() }
      _ = try file.read { (try $0.vault(), try $0.slots()) }
    } catch {
      throw VaultError(error)
    }
  }
}
