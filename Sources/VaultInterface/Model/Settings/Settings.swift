/// The settings of a vault (R13).
public struct Settings: Hashable, Sendable {
  /// The language that QuickVault speaks.
  public enum LanguageChoice: String, CaseIterable, Hashable, Sendable {
    /// The language of the conversation.
    case automatic = "auto"
    case english = "en"
    case simplifiedChinese = "zh-Hans"

    /// The language to speak in a conversation.
    /// - Parameter language: the language of the client's locale.
    public func language(inConversationOf language: Language) -> Language {
      switch self {
      case .automatic: language
      case .english: .english
      case .simplifiedChinese: .simplifiedChinese
      }
    }
  }

  /// The programs that may use a vault that another one unlocked.
  public enum SharedUnlock: String, CaseIterable, Hashable, Sendable {
    /// Programs that the user of an admitted program allows, and all in the same terminal.
    case ask
    /// All programs of the user.
    case always
    /// None: each program needs the password or a fingerprint of its own.
    case never
  }

  private var values: [Setting: Setting.Value] = [:]

  /// The settings of a new vault.
  public init() {
    for setting in Setting.allCases { self[setting] = setting.description.initial }
  }

  public subscript(setting: Setting) -> Setting.Value {
    get { values[setting] ?? .none }
    set { values[setting] = newValue }
  }

  /// Whether a setting is on.
  public func isOn(_ setting: Setting) -> Bool { self[setting] == .flag(true) }

  /// The seconds of a setting; nil for never.
  public func seconds(_ setting: Setting) -> Int? {
    if case .seconds(let seconds) = self[setting] { seconds } else { nil }
  }

  /// The number of a setting; 0 for one that has none.
  public func number(_ setting: Setting) -> Int {
    if case .number(let number) = self[setting] { number } else { 0 }
  }

  /// The word or the template of a setting; nil for none.
  public func text(_ setting: Setting) -> String? {
    if case .text(let text) = self[setting] { text } else { nil }
  }

  /// How the numbers of a card are copied.
  public enum CopiedNumbers: String, CaseIterable, Hashable, Sendable {
    case asTyped
    /// Without what groups their digits.
    case digitsOnly
  }

  public var copiedNumbers: CopiedNumbers { text(.copiedNumbers).flatMap(CopiedNumbers.init) ?? .asTyped }

  /// The style in which cards of a type are copied unless another one is asked for.
  public func copyStyle(for type: CardType) -> CopyStyle {
    Setting(styleFor: type).flatMap(text).flatMap(CopyStyle.init) ?? .labelled
  }

  /// The user's copy template for a type of card.
  public func copyTemplate(for type: CardType) -> String? {
    Setting(templateFor: type).flatMap(text)
  }

  public var sharedUnlock: SharedUnlock { text(.sharedUnlock).flatMap(SharedUnlock.init) ?? .ask }
  public var language: LanguageChoice { text(.language).flatMap(LanguageChoice.init) ?? .automatic }

  /// Whether a protection is off that is on in other settings (R9): a lock, clearing the clipboard, fingerprints, or the
  /// consent to each program.
  public func turnsOffProtection(of old: Settings) -> Bool {
    Setting.allCases.contains { $0.isWeaker(self[$0], than: old[$0]) }
  }

  /// Everything that is wrong with the settings; the fields of the issues are their names.
  public func validate() -> ValidationReport {
    let missing = CardType.allCases.filter { copyStyle(for: $0) == .template && copyTemplate(for: $0) == nil }
    return ValidationReport(
      errors: Setting.allCases.compactMap { $0.issue(of: self[$0]) }
        + missing.compactMap { Setting(styleFor: $0) }.map { setting in
          Issue(field: setting.rawValue, code: .required, message: setting.description.help)
        })
  }
}

/// New values of some ``Settings``.
public struct SettingsChange: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public var values: [Setting: Setting.Value]

  public init(_ values: [Setting: Setting.Value] = [:]) { self.values = values }

  public init(dictionaryLiteral elements: (Setting, Setting.Value)...) {
    values = Dictionary(elements) { _, last in last }
  }

  /// The settings with the change made.
  /// - Throws: ``InvalidValues`` with all issues at once.
  public func applied(to settings: Settings) throws(InvalidValues) -> Settings {
    var result = settings
    for (setting, value) in values { result[setting] = value }
    let report = result.validate()
    guard report.isValid else { throw InvalidValues(report: report) }
    return result
  }
}
