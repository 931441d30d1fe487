import TestSamples
import Testing
import VaultInterface
import Wire

@testable import VaultExchange

@Suite("What is written") struct ExportTests {
  private static let now = Timestamp(milliseconds: 1_795_243_812_345)

  private func export(_ cards: [Card], _ format: ExportFormat) -> [UInt8] {
    var writer = ExportWriter(format, language: .english, at: Self.now)
    if format.needsPreparation { for card in cards { writer.prepare(card) } }
    return writer.head + cards.flatMap { writer.bytes(of: $0) ?? [] } + writer.tail
  }

  private static let pieces = [
    "a", "B", "\"", ",", ";", "，", "、", "\\", "\\n", "=", ":", "'", "\t", "词", "家", "é", "e\u{301}",
    "\u{301}", "😀",
    "#", "-", "1", " ", "sep=", "BEGIN:VCARD", "\u{200B}",
  ]

  private func text(_ generator: inout SeededGenerator, multiline: Bool) -> String {
    let breaks = multiline ? ["\n", "\r\n", "\r", "\n\n"] : []
    let pieces = Self.pieces + breaks
    return "x" + (0..<generator.number(0..<12)).map { _ in generator.one(of: pieces) ?? "" }.joined()
  }

  private func card(_ number: Int, emptyValues: Bool = true) throws -> Card {
    var generator = SeededGenerator(seed: UInt64(number))
    let type = generator.one(of: CardType.allCases) ?? .text
    var draft = CardDraft(
      title: text(&generator, multiline: false), group: generator.number(0..<2) == 0 ? .personal : .company,
      type: type)
    for field in type.template.fields where field.required || generator.number(0..<2) == 0 {
      draft.fields[field.key] =
        switch field.shape {
        case .phone: "138 0013 8000"
        case .taxId: "91350100M000100Y43"
        default: text(&generator, multiline: field.multiline)
        }
    }
    draft.tags = (0..<generator.number(0..<4)).map { _ in text(&generator, multiline: false) }
    for index in 0..<generator.number(0..<4) {
      let isEmpty = emptyValues && generator.number(0..<5) == 0
      draft.extraFields.append(
        ExtraField(
          label: "\(index)" + text(&generator, multiline: false),
          value: isEmpty ? "" : text(&generator, multiline: true), concealed: generator.number(0..<2) == 0))
    }
    draft.pinned = generator.number(0..<2) == 0
    let id = try #require(
      Identifier(randomBytes: (0..<16).map { _ in UInt8(generator.number(0..<256)) }))
    return Card(
      try draft.checked().draft, id: id, revision: Int64(generator.number(1..<9)),
      createdAt: Timestamp(milliseconds: 1_700_000_000_001),
      modifiedAt: Timestamp(milliseconds: 1_790_000_000_999))
  }

  @Test("Cards that are written as JSON are read as equal cards, with their times")
  func json() throws {
    let cards = try (0..<300).map { try card($0) }
    let file = try ImportReader.read(export(cards, .json), ImportOptions())
    #expect(file.format == .json)
    #expect(file.entries.map(\.draft) == cards.map(\.draft))
    #expect(file.entries.map(\.createdAt) == cards.map(\.createdAt))
    #expect(file.entries.map(\.modifiedAt) == cards.map(\.modifiedAt))
    #expect(file.entries.allSatisfy { $0.warnings.isEmpty || $0.draft?.type == .invoice })
  }

  @Test("Cards that are written as a table are read as equal cards, but for the order of their extra fields")
  func csv() throws {
    let cards = try (0..<150).map { try card($0, emptyValues: false) }
    let file = try ImportReader.read(export(cards, .csv), ImportOptions())
    #expect(file.format == .csv && file.source == "QuickVault")
    #expect(file.mapping.last?.target == .extraFields)
    #expect(file.entries.count == cards.count)
    let sorted = { (draft: CardDraft?) -> CardDraft? in
      var draft = draft
      draft?.extraFields.sort { ($0.label, $0.value) < ($1.label, $1.value) }
      return draft
    }
    for (entry, card) in zip(file.entries, cards) {
      #expect(sorted(entry.draft) == sorted(card.draft))
      #expect(entry.modifiedAt == card.modifiedAt && entry.createdAt == card.createdAt)
    }
  }

  @Test(
    "Address cards that are written as vCards are read as equal cards, but for line breaks and what is concealed"
  )
  func vcard() throws {
    let cards = try (0..<400).map { try card($0, emptyValues: false) }
    let bytes = export(cards, .vcard)
    let addresses = cards.filter { $0.type == .address }
    let file = try ImportReader.read(bytes, ImportOptions())
    #expect(file.entries.count == addresses.count)
    let plain = { (text: String) in text.lines.joined(separator: "\n") }
    for (entry, card) in zip(file.entries, addresses) {
      let draft = try #require(entry.draft)
      #expect(draft.type == .address)
      // A part of an address has no white space at its ends.
      #expect(draft.fields.mapValues { plain($0).trimmed } == card.fields.mapValues { plain($0).trimmed })
      #expect(draft.tags == card.tags)
      #expect(draft.title == card.title)
      #expect(
        draft.extraFields.map { [$0.label, $0.value] }
          == card.extraFields.filter { !$0.concealed }.map { [$0.label, plain($0.value)] })
    }
    let lines = bytes.split(separator: 0x0A)
    #expect(lines.allSatisfy { $0.count <= 76 && $0.last == 0x0D && TextEncoding.isUTF8(Array($0)) })
  }

  @Test("More than 200 labels share the last column")
  func manyLabels() throws {
    let cards = try (0..<5).map { number -> Card in
      var draft = CardDraft(title: "t", group: .personal, type: .text, fields: ["text": "x"])
      draft.extraFields = (0..<60).map {
        ExtraField(label: "\(number) \($0)", value: "v", concealed: $0 % 2 == 0)
      }
      return Card(draft, id: try card(number).id, at: Self.now)
    }
    let file = try ImportReader.read(export(cards, .csv), ImportOptions())
    #expect(file.mapping.count < 250)
    #expect(file.entries.map { $0.draft?.extraFields.count } == [60, 60, 60, 60, 60])
    #expect(Set(file.entries[4].draft?.extraFields ?? []) == Set(cards[4].extraFields))
  }

  @Test("JSON has a line for each card and each attachment, and an empty vault is written too")
  func jsonLayout() throws {
    var writer = ExportWriter(.json, language: .english, at: Self.now)
    let card = try card(1)
    var bytes = writer.head + (writer.bytes(of: card) ?? [])
    let content: [UInt8] = [0, 1, 2, 3, 254]
    for name in ["a.png", "b"] {
      let attachment = ExportedAttachment(
        card: card.id, name: name, mediaType: "image/png", addedAt: Timestamp(milliseconds: 0),
        watermark: name == "b" ? nil : Watermark(text: "mark", angle: -45))
      bytes += unsafe writer.bytes(of: attachment, content: content.span.bytes) ?? []
    }
    bytes += writer.tail
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains(
        #""name":"b","mediaType":"image/png","addedAt":"1970-01-01T00:00:00.000Z","watermark":null,"data":"AAECA/4="}"#
      ))
    #expect(text.split(separator: "\n").count == 8)
    let file = try ImportReader.read(bytes, ImportOptions())
    #expect(file.attachmentCount == 2 && file.entries.map(\.warnings) == [[]])
    let attachments = try #require(file.entries.first?.attachments)
    #expect(attachments.map(\.name) == ["a.png", "b"])
    #expect(attachments.map(\.line) == [6, 7])
    #expect(attachments.map(\.watermark) == [Watermark(text: "mark", angle: -45), nil])
    #expect(attachments.map(\.addedAt) == [Timestamp(milliseconds: 0), Timestamp(milliseconds: 0)])
    #expect(attachments.map(file.data) == ["AAECA/4=", "AAECA/4="])
    #expect(try ImportReader.read(export([], .json), ImportOptions()).entries.isEmpty)
    #expect(try ImportReader.read(export([], .csv), ImportOptions()).entries.isEmpty)
  }

  @Test("Markdown has a paragraph for each card, as copied in that style")
  func markdown() throws {
    let cards = try (0..<3).map { try card($0) }
    let text = String(decoding: export(cards, .markdown), as: UTF8.self)
    #expect(
      text
        == (try cards.map { try $0.text(as: .markdown, in: .english, includesConcealed: true) + "\n" }.joined(
          separator: "\n")))
  }
}
