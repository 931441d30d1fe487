import Testing
import VaultInterface

@Suite struct SettingsTests {
  @Test("R13 The settings of a new vault are valid and the written ones")
  func defaults() {
    let settings = Settings()
    #expect(settings.validate().isValid)
    #expect(settings.seconds(.autoLockSeconds) == 300 && settings.seconds(.clipboardClearSeconds) == 30)
    for setting in [Setting.lockOnBackground, .lockWithDesktop, .lockOnSleep, .biometricUnlock] {
      #expect(settings.isOn(setting))
    }
    #expect(CardType.allCases.allSatisfy { settings.copyTemplate(for: $0) == nil })
    #expect(settings.language == .automatic && settings.sharedUnlock == .ask)
  }

  @Test(
    "R13 Every setting has texts in both languages, and every type a copy template",
    arguments: Setting.allCases)
  func descriptions(_ setting: Setting) {
    let description = setting.description
    for text in [description.label, description.help] {
      #expect(!text.english.isEmpty && !text.simplifiedChinese.isEmpty)
    }
    #expect(CardType.allCases.allSatisfy { Setting(templateFor: $0) != nil })
  }

  @Test("R13 A change keeps all other settings")
  func change() throws {
    let settings = try SettingsChange([.textTemplate: .text("{text}"), .addressTemplate: .text("{name}")])
      .applied(to: Settings())
    let change = SettingsChange([
      .autoLockSeconds: .none, .lockOnSleep: .flag(false), .clipboardClearSeconds: .seconds(3_600),
      .textTemplate: .none, .invoiceTemplate: .text("{taxId}"), .language: .text("zh-Hans"),
    ])
    let changed = try change.applied(to: settings)
    #expect(changed[.autoLockSeconds] == .none && changed[.clipboardClearSeconds] == .seconds(3_600))
    #expect(!changed.isOn(.lockOnSleep) && changed.isOn(.lockOnBackground))
    #expect(CardType.allCases.map(changed.copyTemplate) == ["{name}", "{taxId}", nil, nil])
    #expect(changed.language == .simplifiedChinese)
    #expect(try SettingsChange().applied(to: changed) == changed)
  }

  @Test("R13 R18 Each type has a copy style, and that of the template needs one")
  func styles() throws {
    #expect(CardType.allCases.allSatisfy { Settings().copyStyle(for: $0) == .labelled })
    let change = SettingsChange([
      .addressStyle: .text("oneLine"), .textStyle: .text("values"), .titleStyle: .text("template"),
    ])
    let error = #expect(throws: InvalidValues.self) { try change.applied(to: Settings()) }
    #expect(try #require(error).report.errors.map(\.field) == ["titleCopyStyle"])
    var valid = change
    valid.values[.titleTemplate] = .text("{taxId}")
    let settings = try valid.applied(to: Settings())
    #expect(CardType.allCases.map(settings.copyStyle) == [.oneLine, .labelled, .template, .values])
    #expect(throws: InvalidValues.self) { try SettingsChange([.titleTemplate: .none]).applied(to: settings) }
  }

  @Test("R13 R21 Every fault is reported at once")
  func faults() throws {
    let change = SettingsChange([
      .autoLockSeconds: .seconds(14), .clipboardClearSeconds: .seconds(3_601),
      .addressTemplate: .text("{taxId}"), .invoiceTemplate: .text("{"), .textTemplate: .text("\u{0}"),
      .language: .text("fr"),
    ])
    let error = #expect(throws: InvalidValues.self) { try change.applied(to: Settings()) }
    let issues = try #require(error).report.errors
    #expect(
      issues.map { "\($0.field) \($0.code.rawValue)" } == [
        "autoLockSeconds outOfRange", "clipboardClearSeconds outOfRange",
        "copyTemplates.address invalidTemplate",
        "copyTemplates.invoice invalidTemplate", "copyTemplates.text invalidCharacter",
        "language unknownLanguage",
      ])
    #expect(issues.allSatisfy { !$0.message.english.isEmpty && !$0.message.simplifiedChinese.isEmpty })
    for word in ["Seconds", "null", "copyTemplates"] {
      #expect(issues.allSatisfy { !$0.message.english.contains(word) })
      #expect(issues.allSatisfy { !$0.message.simplifiedChinese.contains(word) })
    }
  }

  @Test(
    "R9 What turns a protection off is told from what does not",
    arguments: [
      (SettingsChange([.autoLockSeconds: .none]), true),
      (SettingsChange([.clipboardClearSeconds: .none]), true),
      (SettingsChange([.lockOnBackground: .flag(false)]), true),
      (SettingsChange([.lockWithDesktop: .flag(false)]), true),
      (SettingsChange([.lockOnSleep: .flag(false)]), true),
      (SettingsChange([.biometricUnlock: .flag(false)]), true),
      (SettingsChange([.autoLockSeconds: .seconds(86_400), .clipboardClearSeconds: .seconds(3_600)]), false),
      (
        SettingsChange([.lockOnSleep: .flag(true), .textTemplate: .text("{text}"), .language: .text("en")]),
        false
      ),
    ])
  func weakening(_ change: SettingsChange, _ isWeaker: Bool) throws {
    let old = Settings()
    let new = try change.applied(to: old)
    #expect(new.turnsOffProtection(of: old) == isWeaker)
    // What is off already is not turned off, and turning it on again weakens nothing.
    #expect(try !change.applied(to: new).turnsOffProtection(of: new))
    #expect(!old.turnsOffProtection(of: new))
  }

  @Test("R13 The ends of a range are allowed, and nothing beyond", arguments: Setting.allCases)
  func ranges(_ setting: Setting) throws {
    guard case .seconds(let range) = setting.description.kind else { return }
    for seconds in [range.lowerBound, range.upperBound] {
      #expect(
        try SettingsChange([setting: .seconds(seconds)]).applied(to: Settings()).seconds(setting) == seconds)
    }
    for seconds in [range.lowerBound - 1, range.upperBound + 1] {
      #expect(throws: InvalidValues.self) {
        try SettingsChange([setting: .seconds(seconds)]).applied(to: Settings())
      }
    }
  }

  @Test("R13 Language: automatic follows the conversation")
  func language() {
    #expect(
      Settings.LanguageChoice.automatic.language(inConversationOf: .simplifiedChinese) == .simplifiedChinese)
    #expect(Settings.LanguageChoice.english.language(inConversationOf: .simplifiedChinese) == .english)
    #expect(
      Settings.LanguageChoice.simplifiedChinese.language(inConversationOf: .english) == .simplifiedChinese)
  }
}
