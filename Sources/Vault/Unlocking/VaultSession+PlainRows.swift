import VaultStore

extension VaultSession {
  /// Migrates a vault of the older format: restores plain settings that differ from the sealed ones, logs that, and binds
  /// slots and plain settings to the head. In a vault of the current format forged settings are damage, and only logged.
  ///
  /// - Parameter binds: whether to bind the slots to the head: only after a password, which shows that its slot is right.
  func updatePlainRows(of vault: OpenVault, binds: Bool) throws {
    if vault.plainFindings.contains(.plainSettings) { try? vault.file.appendEvent(event(.settingsForged)) }
    let sealed = vault.settings.plaintext
    let (isBound, settings) = try vault.file.read {
      (try $0.bindsPlainRows(), try $0.vault().plaintextSettings)
    }
    guard vault.integrity == .intact, !isBound, binds || settings != sealed else { return }
    try vault.writingIfPossible {
      try vault.change { transaction, _ in
        if settings != sealed {
          try transaction.setPlaintextSettings(sealed)
          try transaction.appendEvent(event(.settingsForged))
        }
        if binds { try transaction.bindPlainRows() }
      }
    }
  }
}
