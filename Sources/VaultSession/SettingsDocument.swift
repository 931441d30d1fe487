import Identifiers
import VaultCrypto
public import VaultModel
import VaultStore

/// The settings that must be known while the vault is locked, and stand in the file in clear.
///
/// The sealed settings are the truth: at unlock both are compared, and a difference is mended and told in the log.
struct OpenSettings: Hashable, Sendable {
  var language = Settings.LanguageChoice.automatic
  var biometricUnlock = true

  init() {}

  init(_ settings: Settings) {
    language = settings.language
    biometricUnlock = settings.biometricUnlock
  }

  /// Reads the text of the file; nil where it is none.
  init?(text: String) {
    guard let values = SettingsText(text) else { return nil }
    language = values["language"].flatMap(Settings.LanguageChoice.init) ?? .automatic
    biometricUnlock = values["biometricUnlock"] != "false"
  }

  /// The text in the file. What was set since the first version stands in it only where it is not as in a new vault, so that
  /// a vault of an older program does not look forged.
  var text: String {
    var values = SettingsText()
    values["language"] = language.rawValue
    if !biometricUnlock { values["biometricUnlock"] = "false" }
    return values.text
  }
}

extension Settings.LanguageChoice {
  /// The language that was chosen; nil where it is left to the client.
  var language: Language? {
    switch self {
    case .automatic: nil
    case .english: .english
    case .simplifiedChinese: .simplifiedChinese
    }
  }
}

extension Settings {
  /// Reads the sealed document; what is missing in it, or not allowed, is as in a new vault.
  init(_ values: SettingsText) {
    self.init()
    autoLockSeconds = Self.seconds(values["autoLockSeconds"], Self.autoLockRange, default: autoLockSeconds)
    clipboardClearSeconds = Self.seconds(
      values["clipboardClearSeconds"], Self.clipboardClearRange, default: clipboardClearSeconds)
    lockOnBackground = values["lockOnBackground"] != "false"
    lockWithDesktop = values["lockWithDesktop"] != "false"
    lockOnSleep = values["lockOnSleep"] != "false"
    biometricUnlock = values["biometricUnlock"] != "false"
    language = values["language"].flatMap(LanguageChoice.init) ?? .automatic
    for type in CardType.allCases { copyTemplates[type] = values["copyTemplates.\(type.rawValue)"] }
  }

  /// Writes every setting into the document.
  func write(to values: inout SettingsText) {
    values["autoLockSeconds"] = autoLockSeconds.map(String.init) ?? "never"
    values["clipboardClearSeconds"] = clipboardClearSeconds.map(String.init) ?? "never"
    values["lockOnBackground"] = String(lockOnBackground)
    values["lockWithDesktop"] = String(lockWithDesktop)
    values["lockOnSleep"] = String(lockOnSleep)
    values["biometricUnlock"] = String(biometricUnlock)
    values["language"] = language.rawValue
    for type in CardType.allCases { values["copyTemplates.\(type.rawValue)"] = copyTemplates[type] }
  }

  private static func seconds(_ text: String?, _ range: ClosedRange<Int>, default: Int?) -> Int? {
    guard let text else { return `default` }
    if text == "never" { return nil }
    guard let seconds = Int(text), range.contains(seconds) else { return `default` }
    return seconds
  }
}

extension VaultSession {
  /// All settings (R13).
  ///
  /// - Throws: ``VaultError/locked``.
  public func settings() throws -> Settings {
    try unlocked().settings
  }

  /// Changes the settings that are given and keeps the rest.
  ///
  /// - Returns: all settings as they are now.
  /// - Throws: ``VaultError/settingsInvalid(_:)`` with everything that is wrong; ``VaultError/locked``.
  public func updateSettings(_ change: SettingsChange) throws -> Settings {
    let vault = try unlocked()
    return try vault.change { transaction, vaultChange in
      let settings: Settings
      do throws(InvalidValues) {
        settings = try change.applied(to: vault.settings)
      } catch {
        throw VaultError.settingsInvalid(error.report.errors)
      }
      var values = vault.settingsValues
      values[SettingsText.changedAt] = String(clock.wall)
      try vault.write(settings, as: values, transaction, &vaultChange)
      return settings
    }
  }

  /// Compares the settings in clear with the sealed ones, and mends and tells a forgery.
  func mendOpenSettings(of vault: OpenVault) throws {
    let truth = OpenSettings(vault.settings).text
    guard vault.isIntact, try vault.file.read({ try $0.vault().openSettings }) != truth else { return }
    try vault.file.write { transaction in
      try transaction.setOpenSettings(truth)
      try transaction.appendEvent(event(.settingsForged))
    }
  }
}

extension OpenVault {
  static let settingsName = "settings"

  /// Reads the sealed settings, if their revision is another than that which is known.
  ///
  /// - Returns: whether they are whole; where they are not, those that were known stay.
  func readSettings(_ transaction: borrowing ReadTransaction) throws -> Bool {
    guard let row = try transaction.document(Self.settingsName) else {
      (settings, settingsValues, settingsRevision) = (Settings(), SettingsText(), 0)
      return true
    }
    guard row.revision != settingsRevision else { return true }
    guard let values = try? readText(row) else { return false }
    (settings, settingsValues, settingsRevision) = (Settings(values), values, row.revision)
    return true
  }

  /// Reads a document of names and values; nil where there is none.
  ///
  /// - Throws: `CryptoError` where it does not open, or is none.
  func readText(_ name: String, _ transaction: borrowing ReadTransaction) throws -> SettingsText? {
    try transaction.document(name).map { try readText($0) }
  }

  /// Reads a document of names and values.
  ///
  /// - Throws: `CryptoError` where it does not open, or is none.
  func readText(_ row: DocumentRow) throws -> SettingsText {
    try openRecord(.document, Identifier(documentNamed: row.name), row.revision, row.sealed)
    defer { buffer.wipe() }
    let text = buffer.withContent { record in
      unsafe record.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    }
    guard let values = text.flatMap(SettingsText.init) else { throw CryptoError.malformed }
    return values
  }

  /// Writes a document, and takes it into the head.
  ///
  /// - Returns: its new revision.
  func write(
    _ text: String, as name: String, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws -> Int64 {
    let id = try Identifier(documentNamed: name)
    let old = try transaction.read.document(name)
    let (revision, overflow) = (old?.revision ?? 0).addingReportingOverflow(1)
    guard !overflow else { throw VaultError.failed }
    let sealed = try sealRecord(.document, id, revision, Array(text.utf8))
    let new = try element(.document, id, revision, sealed)
    if let old {
      try transaction.updateDocument(
        DocumentRow(name: name, revision: revision, sealed: sealed), expected: old.revision)
      change.head.replace(try element(.document, id, old.revision, old.sealed), with: new)
    } else {
      try transaction.insertDocument(DocumentRow(name: name, revision: revision, sealed: sealed))
      try change.head.add(new, kind: .document)
    }
    return revision
  }

  /// Writes the settings, sealed and as far as they stand in clear.
  ///
  /// - Parameter values: what else stands in them.
  func write(
    _ settings: Settings, as values: SettingsText, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    var values = values
    settings.write(to: &values)
    let revision = try write(values.text, as: Self.settingsName, transaction, &change)
    try transaction.setOpenSettings(OpenSettings(settings).text)
    change.settings = (settings, values, revision)
  }
}
