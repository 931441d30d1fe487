public import VaultInterface
import VaultStore

extension VaultSession {
  /// All settings (R13).
  ///
  /// - Throws: ``VaultError/locked``.
  public func settings() throws -> Settings {
    try unlocked().settings
  }

  /// Changes the given settings and keeps the others.
  ///
  /// - Parameter check: is given the settings before and after the change, once they are valid.
  /// - Returns: all settings as they are now.
  /// - Throws: ``VaultError/settingsInvalid(_:)`` with everything that is wrong; ``VaultError/locked``; what `check` throws.
  public func updateSettings(
    _ change: SettingsChange, check: (_ old: Settings, _ new: Settings) throws -> Void = { _, _ in }
  ) throws -> Settings {
    let vault = try unlocked()
    return try vault.change { transaction, vaultChange in
      let settings: Settings
      do throws(InvalidValues) {
        settings = try change.applied(to: vault.settings)
      } catch {
        throw VaultError.settingsInvalid(error.report.errors)
      }
      try check(vault.settings, settings)
      var values = vault.settingsValues
      values.noteChange(at: clock.wall)
      if vault.replica != nil {
        var before = values
        vault.settings.write(to: &before)
        settings.write(to: &values)
        values.noteChanges(since: before, at: clock.wall)
      }
      try vault.write(settings, as: values, transaction, &vaultChange)
      return settings
    }
  }
}
