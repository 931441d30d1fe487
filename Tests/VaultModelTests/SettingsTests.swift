import Testing
import VaultModel

@Suite struct SettingsTests {
  @Test("R13 The settings of a new vault are valid and the written ones")
  func defaults() {
    let settings = Settings()
    #expect(settings.validate().isValid)
    #expect(settings.autoLockSeconds == 300 && settings.clipboardClearSeconds == 30)
    #expect(settings.lockOnBackground && settings.lockWithDesktop && settings.lockOnSleep)
    #expect(settings.biometricUnlock)
    #expect(settings.copyTemplates.isEmpty && settings.language == .automatic)
  }

  @Test("R13 A change keeps all other settings")
  func change() throws {
    var settings = Settings()
    settings.copyTemplates = [.text: "{text}", .address: "{name}"]
    let change = SettingsChange(
      autoLockSeconds: .never, lockOnSleep: false, clipboardClearSeconds: .after(3_600),
      copyTemplates: [.text: nil, .invoice: "{taxId}"], language: "zh-Hans")
    let changed = try change.applied(to: settings)
    #expect(changed.autoLockSeconds == nil && changed.clipboardClearSeconds == 3_600 && !changed.lockOnSleep)
    #expect(changed.copyTemplates == [.address: "{name}", .invoice: "{taxId}"])
    #expect(changed.lockOnBackground && changed.language == .simplifiedChinese)
    #expect(try SettingsChange().applied(to: changed) == changed)
  }

  @Test("R13 R21 Every fault is reported at once")
  func faults() throws {
    let change = SettingsChange(
      autoLockSeconds: .after(14), clipboardClearSeconds: .after(3_601),
      copyTemplates: [.address: "{taxId}", .invoice: "{", .text: "\u{0}"], language: "fr")
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
      (SettingsChange(autoLockSeconds: .never), true), (SettingsChange(clipboardClearSeconds: .never), true),
      (SettingsChange(lockOnBackground: false), true), (SettingsChange(lockWithDesktop: false), true),
      (SettingsChange(lockOnSleep: false), true), (SettingsChange(biometricUnlock: false), true),
      (SettingsChange(autoLockSeconds: .after(86_400), clipboardClearSeconds: .after(3_600)), false),
      (SettingsChange(lockOnSleep: true, copyTemplates: [.text: "{text}"], language: "en"), false),
    ])
  func weakening(_ change: SettingsChange, _ isWeaker: Bool) throws {
    let old = Settings()
    let new = try change.applied(to: old)
    #expect(new.turnsOffProtection(of: old) == isWeaker)
    // What is off already is not turned off, and turning it on again weakens nothing.
    #expect(try !change.applied(to: new).turnsOffProtection(of: new))
    #expect(!old.turnsOffProtection(of: new))
  }

  @Test("R13 The ends of the ranges are allowed", arguments: [(15, 5), (86_400, 3_600)])
  func ranges(_ lock: Int, _ clear: Int) throws {
    let change = SettingsChange(autoLockSeconds: .after(lock), clipboardClearSeconds: .after(clear))
    let settings = try change.applied(to: Settings())
    #expect(settings.autoLockSeconds == lock && settings.clipboardClearSeconds == clear)
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
