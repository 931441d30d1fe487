package import VaultModel

/// The settings that are needed while the vault is locked, stored in plaintext.
///
/// The sealed settings are authoritative: unlocking compares both, repairs a difference and records it in the log.
package struct PlaintextSettings: Hashable, Sendable {
  var language = Settings.LanguageChoice.automatic
  var biometricUnlock = true

  package init() {}

  package init(_ settings: Settings) {
    language = settings.language
    biometricUnlock = settings.biometricUnlock
  }

  /// Reads the text of the file; nil if it is none.
  init?(text: String) {
    guard let values = KeyValueText(text) else { return nil }
    language = values["language"].flatMap(Settings.LanguageChoice.init) ?? .automatic
    biometricUnlock = values["biometricUnlock"] != "false"
  }

  /// The stored text. Settings newer than the first version are written only if they differ from their default, so that
  /// a vault of an older program does not look forged.
  package var text: String {
    var values = KeyValueText()
    values["language"] = language.rawValue
    if !biometricUnlock { values["biometricUnlock"] = "false" }
    return values.text
  }
}

extension Settings.LanguageChoice {
  /// Nil leaves the language to the client.
  package var language: Language? {
    switch self {
    case .automatic: nil
    case .english: .english
    case .simplifiedChinese: .simplifiedChinese
    }
  }
}

extension Settings {
  /// Reads the sealed document; missing or invalid values become the defaults.
  package init(_ values: KeyValueText) {
    self.init()
    autoLockSeconds = Self.seconds(values["autoLockSeconds"], Self.autoLockRange, default: autoLockSeconds)
    clipboardClearSeconds = Self.seconds(
      values["clipboardClearSeconds"], Self.clipboardClearRange, default: clipboardClearSeconds)
    lockOnBackground = values["lockOnBackground"] != "false"
    lockWithDesktop = values["lockWithDesktop"] != "false"
    lockOnSleep = values["lockOnSleep"] != "false"
    biometricUnlock = values["biometricUnlock"] != "false"
    sharedUnlock = values["sharedUnlock"].flatMap(SharedUnlock.init) ?? .ask
    language = values["language"].flatMap(LanguageChoice.init) ?? .automatic
    for type in CardType.allCases { copyTemplates[type] = values["copyTemplates.\(type.rawValue)"] }
  }

  /// Writes every setting into the document.
  func write(to values: inout KeyValueText) {
    values["autoLockSeconds"] = autoLockSeconds.map(String.init) ?? "never"
    values["clipboardClearSeconds"] = clipboardClearSeconds.map(String.init) ?? "never"
    values["lockOnBackground"] = String(lockOnBackground)
    values["lockWithDesktop"] = String(lockWithDesktop)
    values["lockOnSleep"] = String(lockOnSleep)
    values["biometricUnlock"] = String(biometricUnlock)
    values["sharedUnlock"] = sharedUnlock.rawValue
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
