import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("Settings")
  struct SettingsTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    /// The values at the ends of what a setting can be.
    static func ends(of setting: Setting) -> [Setting.Value] {
      switch setting.description.kind {
      case .flag: [.flag(false), .flag(true)]
      case .seconds(let range): [.seconds(range.lowerBound), .seconds(range.upperBound), .none]
      case .count(let range): [.number(range.lowerBound), .number(range.upperBound)]
      case .choice(let choices): choices.map { .text($0.value) }
      case .template: [.text("{title}\n{title}"), .none]
      case .tag: [.text("none"), .text("#a b"), .text(String(repeating: "字", count: Limits.tag)), .none]
      }
    }

    @Test("R13 a new vault has the default settings")
    func defaults() throws {
      #expect(try session.settings() == Settings())
    }

    @Test("R13 each setting keeps each end of its range after reopening", arguments: Setting.allCases)
    func kept(_ setting: Setting) async throws {
      for value in Self.ends(of: setting) {
        if value == .text("template") {
          for type in CardType.allCases {
            _ = try session.updateSettings([#require(Setting(templateFor: type)): .text("{title}")])
          }
        }
        var expected = try session.settings()
        expected[setting] = value
        #expect(try session.updateSettings([setting: value]) == expected)
        #expect(try session.settings() == expected)
        let other = try await vault.unlock()
        #expect(try other.settings() == expected)
      }
    }

    @Test("R13 R21 all issues are reported at once, and nothing is saved")
    func invalid() throws {
      let before = try RawFile(vault).value("SELECT generation FROM vault")
      let change = SettingsChange([
        .autoLockSeconds: .seconds(14), .lockOnSleep: .flag(false), .clipboardClearSeconds: .seconds(3_601),
        .textTemplate: .text("{nothing}"), .language: .text("fr"),
      ])
      guard case .settingsInvalid(let issues) = vaultError({ _ = try session.updateSettings(change) }) else {
        Testing.Issue.record("not refused")
        return
      }
      #expect(
        Set(issues.map(\.field)) == [
          "autoLockSeconds", "clipboardClearSeconds", "copyTemplates.text", "language",
        ])
      #expect(try session.settings() == Settings())
      #expect(try RawFile(vault).value("SELECT generation FROM vault") == before)
    }

    @Test(
      "R13 R18 a copy template of any characters is stored exactly, and the vault stays intact",
      arguments: [
        "{text}", "\u{301}{text}", "{text}\r", "\r\n{text}\r\n", "\\{text}\\n", "=a=b\nautoLockSeconds=15",
        "\n{text}", "\u{fe0f}{text}", "{text}\u{200d}", "\t\u{2028}{text}", "language=en",
      ])
    func templates(_ template: String) async throws {
      _ = try session.updateSettings([.textTemplate: .text(template)])
      let other = try await vault.unlock()
      #expect(try other.summary().isIntact)
      var expected = Settings()
      expected[.textTemplate] = .text(template)
      let settings = try other.settings()
      #expect(settings == expected)
      #expect(settings.copyTemplate(for: .text).map { Array($0.utf8) } == Array(template.utf8))
    }

    @Test(
      "R13 settings text is read back unchanged, whatever the values", arguments: 1...20)
    func text(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let pieces: [Unicode.Scalar] = [
        "\\", "n", "\n", "\r", "=", "\u{301}", "a", "密", "\u{0}", "\u{fe0f}", "\u{85}",
      ]
      var values = KeyValueText()
      var model: [String: [UInt8]] = [:]
      for number in 0..<6 {
        var value = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
          value.append(pieces[Int.random(in: 0..<pieces.count, using: &random)])
        }
        values["name\(number)"] = String(value)
        model["name\(number)"] = Array(String(value).utf8)
      }
      let read = try #require(KeyValueText(values.text))
      for (name, value) in model { #expect(read[name].map { Array($0.utf8) } == value) }
      #expect(read.names.count == 6)
      #expect(Array(read.text.utf8) == Array(values.text.utf8))
    }

    @Test(
      "R13 malformed settings text is rejected", arguments: ["a", "=", "=a", "a=\\", "a=\\x", "a=1\nb"])
    func malformed(_ text: String) {
      #expect(KeyValueText(text) == nil)
    }

    @Test("R13 values outside their limits become defaults, and the later of two lines counts")
    func limits() throws {
      let text = """
        autoLockSeconds=14
        clipboardClearSeconds=99999999999999999999
        copyTemplates.text={text}
        language=fr
        lockOnBackground=perhaps
        lockOnSleep=true
        lockOnSleep=false

        """
      let settings = Settings(try #require(KeyValueText(text)))
      var expected = Settings()
      expected[.textTemplate] = .text("{text}")
      expected[.lockOnSleep] = .flag(false)
      #expect(settings == expected)
    }

    /// Seals a settings document as another program might.
    private func plant(_ content: [UInt8]) throws {
      let open = try session.unlocked()
      let id = try Identifier(documentNamed: KeyValueText.documentName)
      try open.change { transaction, change in
        let sealed = try open.reader.seal(.document, id, 1, content)
        try transaction.insertDocument(.init(name: KeyValueText.documentName, revision: 1, sealed: sealed))
        try change.head.add(open.reader.element(.document, id, 1, sealed), kind: .document)
      }
    }

    @Test("R13 settings of a newer program are kept when an older one changes others")
    func unknownLines() async throws {
      try plant(Array("futureSetting=a\\nb\nautoLockSeconds=20\n".utf8))
      let other = try await vault.unlock()
      #expect(try other.settings().seconds(.autoLockSeconds) == 20)
      _ = try other.updateSettings([.language: .text("en")])
      let third = try await vault.unlock()
      #expect(try third.unlocked().settingsValues["futureSetting"] == "a\nb")
      #expect(try third.settings().seconds(.autoLockSeconds) == 20)
      #expect(third.chosenLanguage == .english)
    }

    @Test(
      "R13 malformed sealed settings make the vault damaged, and the defaults apply",
      arguments: [Array("no line".utf8), [0xff, 0xfe], Array("{\"autoLockSeconds\":15}".utf8)])
    func malformedDocument(_ content: [UInt8]) async throws {
      let card = try session.note("kept")
      try plant(content)
      let other = try await vault.unlock()
      #expect(try !other.summary().isIntact)
      #expect(try other.settings() == Settings())
      #expect(try other.card(card.id) == card)
      #expect(vaultError { _ = try other.updateSettings([.language: .text("en")]) } == .damaged(nil))
    }
  }
}
