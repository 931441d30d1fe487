import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  @Suite("One-time codes")
  struct OneTimeCodeTests {
    static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    static let key256 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA===="
    static let key512 =
      "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA="

    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    /// A card with concealed extra fields.
    private func card(_ fields: (label: String, value: String)...) throws -> Card {
      try session.createCard(
        CardDraft(
          title: "Mail", group: .personal, type: .text, fields: ["text": "x"],
          extraFields: fields.map { ExtraField(label: $0.label, value: $0.value, concealed: true) })
      ).card
    }

    private func setTime(_ seconds: Int64) { vault.clock.setWall(by: seconds * 1_000 - vault.clock.wall) }

    private func error(_ id: Identifier, _ field: String? = nil) -> OneTimeCodeError? {
      do {
        _ = try session.oneTimeCode(id, field: field)
        return nil
      } catch {
        return error as? OneTimeCodeError
      }
    }

    @Test(
      "O the codes by time of RFC 6238, appendix B",
      arguments: [
        (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
        (1_111_111_111, "14050471", "67062674", "99943326"),
        (1_234_567_890, "89005924", "91819424", "93441116"),
        (2_000_000_000, "69279037", "90698825", "38618901"),
        (20_000_000_000, "65353130", "77737706", "47863826"),
      ] as [(Int64, String, String, String)])
    func time(_ seconds: Int64, _ sha1: String, _ sha256: String, _ sha512: String) throws {
      let card = try card(
        ("one", "otpauth://totp/Mail:me?secret=\(Self.key)&digits=8"),
        ("two", "otpauth://totp/x?algorithm=SHA256&digits=8&secret=\(Self.key256)"),
        (
          "three",
          " OTPAUTH://TOTP/x?Secret=\(Self.key512.lowercased())&algorithm=sha-512&digits=8&period=30#x"
        ))
      setTime(seconds)
      for (field, code) in [("one", sha1), ("two", sha256), ("three", sha512)] {
        let left = Int(30 - seconds % 30)
        #expect(try session.oneTimeCode(card.id, field: field) == CurrentCode(code: code, secondsLeft: left))
        #expect(try session.copy(card.id, as: .field(field), in: .english).text == code)
      }
      #expect(try session.oneTimeCode(card.id).code == sha1)
      #expect(try session.copy(card.id, as: .field("TOTP"), in: .english).text == sha1)
      #expect(try session.names(of: card.id).field("totp")?.name == "one")
    }

    @Test("O the codes by a counter of RFC 4226, appendix D, each stored as taken")
    func counter() async throws {
      let codes = [
        "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
      ]
      let id = try card(("Key", "otpauth://hotp/a?secret=\(Self.key)&counter=0&issuer=b")).id
      #expect(throws: OneTimeCodeError.counter) { _ = try session.copy(id, as: .field("totp"), in: .english) }
      for (number, code) in codes.enumerated() {
        #expect(try session.oneTimeCode(id) == CurrentCode(code: code, secondsLeft: nil))
        let uri = "otpauth://hotp/a?secret=\(Self.key)&issuer=b&counter=\(number + 1)"
        #expect(try await vault.unlock().card(id).extraFields.map(\.value) == [uri])
      }
    }

    @Test(
      "O a bare key counts under a name that says so",
      arguments: ["totp", "ＴＯＴＰ", "One-time password", "一次性密码", "2FA"])
    func bare(_ label: String) throws {
      let id = try card(("Key", Self.key), (label, "gezd gnbv-gy3t qojq GEZDGNBVGY3TQOJQ")).id
      setTime(1_111_111_109)
      #expect(try session.oneTimeCode(id) == CurrentCode(code: "081804", secondsLeft: 1))
      // A field that is named counts without such a name.
      #expect(try session.oneTimeCode(id, field: "key").code == "081804")
      #expect(try session.copy(id, as: .field("key"), in: .english).text == Self.key)
    }

    @Test("O what is no key has no code, and a key that cannot be read is told so")
    func errors() throws {
      let plain = try session.note("note")
      #expect(error(plain.id) == OneTimeCodeError.none && error(plain.id, "text") == OneTimeCodeError.none)
      let open = try session.createCard(
        CardDraft(
          title: "Open", group: .personal, type: .text, fields: ["text": "x"],
          extraFields: [ExtraField(label: "totp", value: Self.key)])
      ).card
      #expect(error(open.id) == OneTimeCodeError.none)
      for uri in [
        "otpauth://totp/x", "otpauth://totp/x?secret=", "otpauth://totp/x?secret=1",
        "otpauth://totp/x?secret=0189",
        "otpauth://totp/x?secret=\(Self.key)&digits=9", "otpauth://totp/x?secret=\(Self.key)&digits=5",
        "otpauth://totp/x?secret=\(Self.key)&period=0", "otpauth://totp/x?secret=\(Self.key)&period=-1",
        "otpauth://totp/x?secret=\(Self.key)&algorithm=MD5",
        "otpauth://totp/x?secret=\(Self.key)&encoder=steam",
        "otpauth://yaotp/x?secret=\(Self.key)",
        "otpauth://hotp/x?secret=\(Self.key)&counter=9223372036854775808",
        "otpauth://hotp/x?secret=\(Self.key)&counter=9223372036854775807", "otpauth://", "otpauth://?",
      ] {
        #expect(try error(card(("Key", uri)).id) == .unreadable, "\(uri)")
      }
      #expect(try error(card(("totp", "ask Ann")).id) == OneTimeCodeError.none)
      #expect(try error(card(("totp", "")).id) == OneTimeCodeError.none)
    }
  }

  @Suite("Generated passwords")
  struct GeneratedPasswordTests {
    @Test("O a password has every kind that was asked for, and only those", arguments: 0..<50)
    func kinds(_ round: Int) throws {
      let kinds = CharacterKind.allCases.enumerated().filter { (round + 1) % 16 >> $0.offset & 1 == 1 }.map(
        \.element)
      guard !kinds.isEmpty else { return }
      let password = try GeneratedPassword(.characters(8 + round, kinds))
      #expect(password.text.utf8.count == 8 + round)
      for kind in CharacterKind.allCases {
        #expect(Set(kind.characters).isDisjoint(with: password.text.utf8) == !kinds.contains(kind))
      }
    }

    @Test("O every character comes as often as the others, and no password twice")
    func distribution() throws {
      var counts: [UInt8: Int] = [:]
      var passwords: Set<String> = []
      for _ in 0..<200 {
        let text = try GeneratedPassword(.characters(128, CharacterKind.allCases)).text
        passwords.insert(text)
        for byte in text.utf8 { counts[byte, default: 0] += 1 }
      }
      #expect(passwords.count == 200 && counts.count == 94)
      // 25,600 / 94 = 272 with a standard deviation of 16: eight of them.
      #expect(counts.values.allSatisfy { (141...403).contains($0) })
    }

    @Test("O a passphrase has words of the list, and its strength is told")
    func words() throws {
      let password = try GeneratedPassword(.words(6))
      #expect(Int(password.bits) == 77)
      #expect(password.text.split(separator: "-").count >= 6)
      #expect(password.text.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
      #expect(try Set((0..<200).map { _ in try GeneratedPassword(.words(3)).text }).count == 200)
      #expect(try Int(GeneratedPassword(.characters(20, [.digits])).bits) == 66)
      // 94 to the power of 8, less what lacks a kind.
      let bits = try GeneratedPassword(.characters(8, CharacterKind.allCases)).bits
      #expect((51.0...52.0).contains(bits))
    }
  }
}
