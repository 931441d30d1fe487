/// The settings of a vault (R13).
public struct Settings: Hashable, Sendable {
  /// The language that QuickVault speaks. The raw value is its name on the wire.
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

  /// The programs that may use a vault that another one unlocked (U). The raw values are on the wire.
  public enum SharedUnlock: String, CaseIterable, Hashable, Sendable {
    /// Programs that the user of an admitted program allows, and all in the same terminal.
    case ask
    /// All programs of the user.
    case always
    /// None: each program needs the password or a fingerprint of its own.
    case never
  }

  /// Seconds without activity until the vault locks itself, 15 to 86,400; nil for never (R12).
  public var autoLockSeconds: Int? = 300
  /// Whether the vault locks when the client is in the background (R12).
  public var lockOnBackground = true
  /// Whether the vault locks when the desktop session locks (R12).
  public var lockWithDesktop = true
  /// Whether the vault locks before the machine sleeps (R12).
  public var lockOnSleep = true
  /// Whether a finger may unlock the vault where a device is bound; off, bindings stay and are not used (R9).
  public var biometricUnlock = true
  /// The time after which a client clears the clipboard, 5 to 3,600 seconds; nil for never (R18).
  public var clipboardClearSeconds: Int? = 30
  /// The user's copy templates by the type of card (R18).
  public var copyTemplates: [CardType: String] = [:]
  /// The programs that may use the vault once another one has unlocked it (U).
  public var sharedUnlock = SharedUnlock.ask
  public var language = LanguageChoice.automatic

  /// The settings of a new vault.
  public init() {}

  /// The allowed values of ``autoLockSeconds``.
  public static let autoLockRange = 15...86_400
  /// The allowed values of ``clipboardClearSeconds``.
  public static let clipboardClearRange = 5...3_600

  /// Whether a protection is off that is on in other settings (R9): a lock, clearing the clipboard, fingerprints, or the
  /// consent to each program.
  public func turnsOffProtection(of old: Settings) -> Bool {
    autoLockSeconds == nil && old.autoLockSeconds != nil
      || clipboardClearSeconds == nil && old.clipboardClearSeconds != nil
      || sharedUnlock == .always && old.sharedUnlock != .always
      || sharedUnlock == .ask && old.sharedUnlock == .never
      || [\Settings.lockOnBackground, \.lockWithDesktop, \.lockOnSleep, \.biometricUnlock]
        .contains { old[keyPath: $0] && !self[keyPath: $0] }
  }

  /// Everything that is wrong with the settings, in the order of their parts; the fields of the issues are the
  /// settings' keys, `copyTemplates.address` and the like for the templates.
  public func validate() -> ValidationReport {
    ValidationReport(
      errors: Self.rangeIssues(
        "autoLockSeconds", autoLockSeconds, Self.autoLockRange,
        Localized(
          "The vault locks when idle for 15 to 86,400 seconds (24 hours), or never.",
          "闲置锁定时间应为 15 到 86,400 秒（24 小时），或从不锁定。"))
        + Self.rangeIssues(
          "clipboardClearSeconds", clipboardClearSeconds, Self.clipboardClearRange,
          Localized(
            "The clipboard is cleared after 5 to 3,600 seconds (1 hour), or never.",
            "清除剪贴板的时间应为 5 到 3,600 秒（1 小时），或从不清除。"))
        + CardType.allCases.flatMap(templateIssues))
  }

  private static func rangeIssues(
    _ field: String, _ seconds: Int?, _ range: ClosedRange<Int>, _ message: Localized
  ) -> [Issue] {
    guard let seconds, !range.contains(seconds) else { return [] }
    return [Issue(field: field, code: .outOfRange, message: message)]
  }

  private func templateIssues(_ type: CardType) -> [Issue] {
    guard let source = copyTemplates[type] else { return [] }
    let field = "copyTemplates.\(type.rawValue)"
    if source.hasInvalidCharacter(multiline: true) {
      return [.invalidCharacter(field, Localized("The copy template", "复制模板"), multiline: true)]
    }
    do {
      try CopyTemplate(parsing: source).check(for: type)
      return []
    } catch {
      let code: Issue.Code = error.reason == .tooLong ? .tooLong : .invalidTemplate
      return [Issue(field: field, code: code, message: error.message)]
    }
  }
}
