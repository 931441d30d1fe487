import TestSamples
import Testing
import VaultInterface

@Suite struct RecordTests {
  @Test("R14 The layout of a record is the one that the format describes")
  func layout() throws {
    var draft = CardDraft(
      title: "T", group: .company, type: .text, fields: ["text": "中"], tags: ["g"], pinned: true)
    draft.extraFields = [ExtraField(label: "L", value: "v", concealed: true)]
    let card = Card(
      draft, id: try Samples.identifier(), revision: 1, createdAt: Timestamp(milliseconds: 258),
      modifiedAt: Timestamp(milliseconds: -1))
    let expected: [UInt8] =
      [1, 1, 2, 3, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 255, count: 8)
      + [1, 0, 0, 0, 0, 0, 0, 1, 0x54] + [2, 0, 0, 0, 0, 0, 0, 1, 0x67]
      + [3, 0, 0, 4, 0, 0, 0, 3, 0x74, 0x65, 0x78, 0x74, 0xE4, 0xB8, 0xAD]
      + [4, 1, 0, 1, 0, 0, 0, 1, 0x4C, 0x76]
    #expect(try CardRecord.encode(card) == expected)
    var count = 0
    try CardRecord.forEachEntry(in: expected.span.bytes) {
      role, concealed, key, value throws(CardRecordError) in
      count += key.byteCount + value.byteCount
      if concealed != (role == .extraField) { throw .unknownFlags }
    }
    #expect(count == 11)
    #expect(try CardRecord.title(of: expected.span.bytes) == "T")
  }

  @Test("R1 R4 Random cards are decoded as they were encoded, byte for byte")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let card = try Samples.randomCard(&generator)
      let record = try CardRecord.encode(card)
      #expect(try record.count == CardRecord.byteCount(of: card))
      let decoded = try CardRecord.decode(record.span.bytes, id: card.id, revision: card.revision)
      #expect(decoded == card)
      #expect(try CardRecord.encode(decoded) == record)
      let head = try CardRecord.head(of: record.span.bytes)
      #expect(head.pinned == card.pinned && head.group == card.group && head.type == card.type)
      #expect(head.createdAt == card.createdAt && head.modifiedAt == card.modifiedAt)
    }
  }

  @Test("R17 Every truncation that cuts an entry is an error, and none is a trap")
  func truncations() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<40 {
      let card = try Samples.randomCard(&generator)
      let record = try CardRecord.encode(card)
      var boundaries: Set<Int> = []
      var cursor = CardRecord.Cursor()
      while let entry = try cursor.next(in: record.span.bytes) { boundaries.insert(entry.value.upperBound) }
      for count in 0..<record.count {
        let cut = Array(record[..<count])
        let decoded = try? CardRecord.decode(cut.span.bytes, id: card.id, revision: 1)
        #expect((decoded != nil) == ((try? CardRecord.check(cut.span.bytes)) != nil))
        #expect((decoded != nil) == boundaries.contains(count))
      }
    }
  }

  @Test("R17 Random bytes and random damage are errors or cards, never traps")
  func randomBytes() throws {
    var generator = SeededGenerator(seed: 4)
    let id = try Samples.identifier()
    let query = try SearchQuery(parsing: "a 税 title:b notes: é")
    var buffer = SearchBuffer()
    var refused = 0
    for round in 0..<4_000 {
      var bytes = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if round % 2 == 0 {
        bytes = try CardRecord.encode(Samples.randomCard(&generator))
        for _ in 0..<3 {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
      }
      do {
        let card = try CardRecord.decode(bytes.span.bytes, id: id, revision: 1)
        #expect(try CardRecord.encode(card).count == CardRecord.byteCount(of: card))
      } catch { refused += 1 }
      _ = try? query.rank(record: bytes.span.bytes, hasAttachment: false, using: &buffer)
      _ = try? CardFilter(tag: "x").matches(record: bytes.span.bytes, using: &buffer)
    }
    #expect(refused > 2_000 && refused < 4_000)
  }

  @Test(
    "R17 Each departure from the layout has its error",
    arguments: [
      (0, 2, .unknownVersion), (1, 4, .unknownFlags), (2, 0, .unknownGroup), (2, 3, .unknownGroup),
      (3, 5, .unknownType), (7, 1, .reservedNotZero), (24, 0, .unknownRole), (24, 6, .unknownRole),
      (24, 2, .misplacedTitle), (33, 1, .misplacedTitle), (25, 1, .unknownFlags), (43, 1, .unknownFlags),
      (58, 2, .unknownFlags), (36, 1, .unexpectedKey), (50, 0x75, .misplacedField), (54, 0xC0, .invalidText),
      (31, 0xFF, .truncated), (32, 0xFF, .invalidText),
    ] as [(Int, UInt8, CardRecordError)])
  func departures(_ offset: Int, _ byte: UInt8, _ expected: CardRecordError) throws {
    var draft = CardDraft(title: "T", group: .company, type: .text, fields: ["text": "中"], tags: ["g"])
    draft.extraFields = [ExtraField(label: "L", value: "v", concealed: true)]
    var record = try CardRecord.encode(Samples.card(draft))
    record[offset] = byte
    let id = try Samples.identifier()
    #expect(throws: expected) { try CardRecord.decode(record.span.bytes, id: id, revision: 1) }
    #expect(throws: expected) { try CardRecord.check(record.span.bytes) }
  }

  @Test("R17 A field twice, out of order, unknown or empty is refused, and so is a record without title")
  func fields() throws {
    let head: [UInt8] = [1, 0, 1, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
    let title: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 1, 0x54]
    func entry(_ key: String, _ value: String) -> [UInt8] {
      [3, 0, 0, UInt8(key.utf8.count), 0, 0, 0, UInt8(value.utf8.count)] + key.utf8 + value.utf8
    }
    let cases: [([UInt8], CardRecordError)] = [
      (entry("name", "a") + entry("name", "b"), .misplacedField),
      (entry("phone", "a") + entry("name", "b"), .misplacedField),
      (entry("taxId", "a"), .misplacedField), (entry("name", ""), .emptyField),
      ([1, 0, 0, 0, 0, 0, 0, 0], .misplacedTitle), ([0], .truncated),
    ]
    let id = try Samples.identifier()
    for (entries, expected) in cases {
      let record = head + title + entries
      #expect(throws: expected) { try CardRecord.decode(record.span.bytes, id: id, revision: 1) }
      #expect(throws: expected) { try CardRecord.check(record.span.bytes) }
    }
    #expect(throws: CardRecordError.truncated) { try CardRecord.decode(head.span.bytes, id: id, revision: 1) }
  }

  @Test("R17 Encoding refuses values that the format cannot represent")
  func encoding() throws {
    var draft = Samples.text
    draft.fields["name"] = "x"
    #expect(throws: CardRecordError.misplacedField) { try CardRecord.encode(Samples.card(draft)) }
    draft = Samples.text
    draft.extraFields = [ExtraField(label: String(repeating: "l", count: 65_536), value: "")]
    #expect(throws: CardRecordError.tooLong) { try CardRecord.encode(Samples.card(draft)) }
  }
}
