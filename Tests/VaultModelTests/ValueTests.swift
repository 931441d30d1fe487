import Foundation
import TestSamples
import Testing
import VaultInterface
import Wire

@Suite struct ValueTests {
  @Test(
    "Bilingual: a locale gives a language",
    arguments: [
      ("zh", Language.simplifiedChinese), ("ZH", .simplifiedChinese), ("zh_CN.UTF-8", .simplifiedChinese),
      ("zh-Hant-TW", .simplifiedChinese), ("Zh-hans", .simplifiedChinese), ("zh.UTF-8", .simplifiedChinese),
      ("en", .english), ("en_US.UTF-8", .english), ("C", .english), ("", .english), ("zha", .english),
      ("zhuang", .english), ("de-CN", .english), ("z", .english), ("-zh", .english),
    ])
  func locale(_ locale: String, _ expected: Language) {
    #expect(Language(locale: locale) == expected)
  }

  @Test("Bilingual: every label and message is there in both languages")
  func labels() {
    let labels =
      CardTemplate.all.flatMap { [$0.label] + $0.fields.map(\.label) } + CardGroup.allCases.map(\.label)
      + [CardTemplate.titleLabel, CardTemplate.tagsLabel]
    for label in labels {
      #expect(label[.english].utf8.allSatisfy { $0 < 0x80 } && !label[.english].isEmpty)
      #expect(label[.simplifiedChinese].unicodeScalars.allSatisfy { $0.properties.isIdeographic })
    }
  }

  @Test("R2 R3 R3b R4 The templates have their fields in order")
  func templates() {
    let keys = CardTemplate.all.map { $0.fields.map { $0.key + ($0.required ? "" : "?") } }
    #expect(
      keys == [
        ["name", "phone", "province", "city", "district", "address", "postalCode?", "notes?"],
        ["companyName", "taxId", "address", "phone", "bankName", "bankAccount", "notes?"],
        ["companyName", "taxId", "address?", "phone?", "bankName?", "bankAccount?", "notes?"], ["text"],
      ])
    #expect(CardTemplate.all.map(\.type) == CardType.allCases)
  }

  @Test("Identifiers are version 4 UUIDs in lower case, read in either")
  func identifiers() throws {
    let id = try #require(Identifier(randomBytes: [UInt8](repeating: 0xFF, count: 16)))
    #expect(id.description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(Identifier("FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF") == id)
    #expect(UUID(uuidString: id.description) != nil)
    #expect(id.number == Int64(bitPattern: 0xFFFF_FFFF_FFFF_4FFF))
    #expect(Identifier(bytes: id.bytes) == id)
    let low = try #require(Identifier("00000000-0000-4000-8000-000000000001"))
    let middle = try #require(Identifier("7fffffff-0000-4000-8000-000000000000"))
    #expect([id, middle, low].sorted() == [low, middle, id])
  }

  @Test("Bytes are written in lower case and read from pairs of hexadecimal digits only")
  func hexadecimal() {
    let bytes: [UInt8] = [0, 1, 0x0F, 0x10, 0x9A, 0xFF]
    #expect(bytes.hexadecimal == "00010f109aff")
    #expect([UInt8](hexadecimal: "00010F109aFf") == bytes)
    #expect([UInt8](hexadecimal: "") == [])
    for text in ["0", "001", "+f", "-1", "0x", " 0", "0g", "é0", "１０"] {
      #expect([UInt8](hexadecimal: text) == nil, "\(text)")
    }
  }

  @Test("Percent-encoding needs two hexadecimal digits after each sign")
  func percentEncoding() {
    #expect("a%2fb%C3%A9".utf8.percentDecoded == Array("a/bé".utf8))
    #expect("".utf8.percentDecoded == [])
    for text in ["%", "%2", "%+5", "%-1", "%2g", "% 1", "ok%"] {
      #expect(text.utf8.percentDecoded == nil, "\(text)")
    }
  }

  @Test("Identifiers and times are written as Foundation writes them", arguments: 0..<4)
  func texts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let times = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<1_000 {
      let id = Identifier(high: generator.next(), low: generator.next())
      #expect(UUID(uuidString: id.description)?.uuidString.lowercased() == id.description)
      #expect(Identifier(id.description) == id)
      #expect(Identifier(id.description.uppercased()) == id)
      let time = Timestamp(
        milliseconds: Int64.random(in: -12_000_000_000_000...32_503_680_000_000, using: &generator))
      let date = try Date(time.description, strategy: times)
      #expect(Int64((date.timeIntervalSince1970 * 1_000).rounded()) == time.milliseconds)
      #expect(Timestamp(time.description) == time)
    }
  }

  @Test(
    "Texts that are no identifiers are refused",
    arguments: [
      "", "ffffffff-ffff-4fff-bfff-fffffffffff", "ffffffff-ffff-4fff-bfff-fffffffffffff",
      "ffffffffffff-4fff-bfff-ffffffffffff-", "gfffffff-ffff-4fff-bfff-ffffffffffff",
      "ffffffff+ffff-4fff-bfff-ffffffffffff", "ffffffffffff4fffbfffffffffffffff",
      "ｆfffffff-ffff-4fff-bfff-fffffffff",
    ])
  func noIdentifier(_ text: String) {
    #expect(Identifier(text) == nil)
    #expect(Identifier(bytes: [UInt8](repeating: 0, count: 15)) == nil)
    #expect(Identifier(randomBytes: [UInt8](repeating: 0, count: 17)) == nil)
  }
}

@Suite struct TimestampTests {
  @Test(
    "R14 Times are RFC 3339 in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_795_243_812_345, "2026-11-21T06:50:12.345Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
      (Int64.min, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func print(_ milliseconds: Int64, _ text: String) throws {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
    let parsed = try #require(Timestamp(text))
    #expect(parsed == min(max(Timestamp(milliseconds: milliseconds), .earliest), .latest))
  }

  @Test(
    "RFC 3339 with offsets and other fractions is read",
    arguments: [
      ("2026-11-21T06:50:12Z", "2026-11-21T06:50:12.000Z"),
      ("2026-11-21t06:50:12.3z", "2026-11-21T06:50:12.300Z"),
      ("2026-11-21 14:50:12.3459+08:00", "2026-11-21T06:50:12.345Z"),
      ("2026-11-20T23:50:12-07:00", "2026-11-21T06:50:12.000Z"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ])
  func read(_ text: String, _ utc: String) {
    #expect(Timestamp(text)?.description == utc)
  }

  @Test(
    "What is no RFC 3339 is refused",
    arguments: [
      "", "2026", "2026-11-21", "2026-11-21T06:50:12", "2026-13-21T06:50:12Z", "2026-11-31T06:50:12Z",
      "2025-02-29T06:50:12Z", "2026-11-21T24:00:00Z", "2026-11-21T06:60:12Z", "2026-11-21T06:50:12.Z",
      "2026-11-21T06:50:12Z ", "2026-11-21T06:50:12+25:00", "+026-11-21T06:50:12Z",
      "0000-01-01T00:00:00+01:00",
      "2026-00-21T06:50:12Z", "2026-11-00T06:50:12Z",
    ])
  func refuse(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("Dates agree with Foundation over eight centuries")
  func foundation() throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let milliseconds =
        Int64.random(in: -10_000_000_000_000...15_000_000_000_000, using: &generator) / 1000 * 1000
      let text = Timestamp(milliseconds: milliseconds).description
      #expect(text == formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000)))
      #expect(Timestamp(text)?.milliseconds == milliseconds)
    }
  }
}
