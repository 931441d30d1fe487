/// A change of ``Settings``. A part that is nil stays as it is.
public struct SettingsChange: Hashable, Sendable {
  /// A new value for a setting that may also be null.
  public enum Seconds: Hashable, Sendable {
    /// Null on the wire: it never happens.
    case never
    /// After a number of seconds.
    case after(Int)

    var value: Int? {
      switch self {
      case .never: nil
      case .after(let seconds): seconds
      }
    }
  }

  public var autoLockSeconds: Seconds?
  public var lockOnBackground: Bool?
  public var lockWithDesktop: Bool?
  public var lockOnSleep: Bool?
  public var biometricUnlock: Bool?
  public var clipboardClearSeconds: Seconds?
  /// The new templates by type, merged into the old ones; nil removes one.
  public var copyTemplates: [CardType: String?]
  public var sharedUnlock: Settings.SharedUnlock?
  /// The name of a ``Settings/LanguageChoice``, as it came.
  public var language: String?

  public init(
    autoLockSeconds: Seconds? = nil, lockOnBackground: Bool? = nil, lockWithDesktop: Bool? = nil,
    lockOnSleep: Bool? = nil, biometricUnlock: Bool? = nil, clipboardClearSeconds: Seconds? = nil,
    copyTemplates: [CardType: String?] = [:], sharedUnlock: Settings.SharedUnlock? = nil,
    language: String? = nil
  ) {
    self.sharedUnlock = sharedUnlock
    (self.autoLockSeconds, self.lockOnBackground) = (autoLockSeconds, lockOnBackground)
    (self.lockWithDesktop, self.lockOnSleep) = (lockWithDesktop, lockOnSleep)
    (self.biometricUnlock, self.clipboardClearSeconds) = (biometricUnlock, clipboardClearSeconds)
    (self.copyTemplates, self.language) = (copyTemplates, language)
  }

  /// The settings with the change made.
  /// - Throws: ``InvalidValues`` with all issues at once.
  public func applied(to settings: Settings) throws(InvalidValues) -> Settings {
    var result = settings
    if let autoLockSeconds { result.autoLockSeconds = autoLockSeconds.value }
    if let lockOnBackground { result.lockOnBackground = lockOnBackground }
    if let lockWithDesktop { result.lockWithDesktop = lockWithDesktop }
    if let lockOnSleep { result.lockOnSleep = lockOnSleep }
    if let biometricUnlock { result.biometricUnlock = biometricUnlock }
    if let sharedUnlock { result.sharedUnlock = sharedUnlock }
    if let clipboardClearSeconds { result.clipboardClearSeconds = clipboardClearSeconds.value }
    for (type, template) in copyTemplates { result.copyTemplates[type] = template }
    var report = ValidationReport()
    if let language {
      if let choice = Settings.LanguageChoice(rawValue: language) {
        result.language = choice
      } else {
        let message = Localized(
          "The language must be automatic (auto), English (en) or Simplified Chinese (zh-Hans).",
          "语言应为自动（auto）、英文（en）或简体中文（zh-Hans）。")
        report.errors.append(Issue(field: "language", code: .unknownLanguage, message: message))
      }
    }
    report.errors = result.validate().errors + report.errors
    guard report.isValid else { throw InvalidValues(report: report) }
    return result
  }
}
