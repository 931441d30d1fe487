import Testing

@testable import VaultInterface

/// An attachment as an entry of its card's record.
@Suite struct AttachmentRecordTests {
  private func card(_ attachments: [VaultInterface.Attachment]) throws -> Card {
    var card = try Samples.card(
      CardDraft(title: "T", group: .company, type: .text, fields: ["text": "中"], tags: ["g"]))
    card.attachments = attachments
    return card
  }

  private func attachment(_ watermark: Watermark? = nil) throws -> VaultInterface.Attachment {
    let seal = try #require(ContentSeal((0..<32).map { UInt8($0) }))
    return VaultInterface.Attachment(
      id: try Samples.identifier(), revision: 3, name: "身份证.jpg", mediaType: .heic, size: 10 << 20,
      width: 4_032,
      height: 3_024, addedAt: Timestamp(milliseconds: -1), watermark: watermark, seal: seal)
  }

  @Test("R5 What was written is read, with a watermark at each end of its ranges and without one")
  func roundTrip() throws {
    let marks = [
      nil, Watermark(text: "仅供\n办理"), Watermark(text: "x", opacity: 5, angle: -180, size: 10, spacing: 50),
      Watermark(
        text: String(repeating: "字", count: 200), opacity: 100, angle: 180, size: 500, spacing: 2_000),
    ]
    let card = try card(marks.map(attachment))
    let record = try CardRecord.encode(card)
    #expect(try CardRecord.decode(record.span.bytes, id: card.id, revision: card.revision) == card)
    #expect(
      try CardRecord.summary(record.span.bytes, id: card.id, revision: card.revision).attachments
        == card.attachments)
    #expect(try CardRecord.attachments(of: record.span.bytes) == card.attachments.map(IndexedAttachment.init))
    #expect(try CardRecord.hasAttachment(record.span.bytes))
    let plain = try CardRecord.encode(self.card([]))
    #expect(try !CardRecord.hasAttachment(plain.span.bytes))
  }

  @Test("R17 Every byte of an entry that is cut off or wrong is refused, and none is read beyond the end")
  func malformed() throws {
    let card = try card([attachment(Watermark(text: "x"))])
    let record = try CardRecord.encode(card)
    let start = try CardRecord.encode(self.card([])).count
    for count in start + 1..<record.count {
      #expect(throws: CardRecordError.self) { try decode(Array(record[..<count])) }
    }
    // Behind the entry's head of 8 bytes and its name: type, watermark or not, zero, revision.
    let value = start + 8 + "身份证.jpg".utf8.count
    for (offset, byte) in [(24, 0), (24, 5), (25, 2), (25, 0), (26, 1), (16, 0x80), (81, 101), (80, 1)] {
      var wrong = record
      wrong[value + offset] = UInt8(byte)
      #expect(throws: CardRecordError.self, "\(offset)") { try decode(wrong) }
    }
    let plain = try CardRecord.encode(self.card([]))
    let moved = plain[..<24] + record[start...] + plain[24...]
    #expect(throws: CardRecordError.misplacedTitle) { try decode(Array(moved)) }
    let title = 24 + 8 + 1
    let early = plain[..<title] + record[start...] + plain[title...]
    #expect(throws: CardRecordError.malformedAttachment) { try decode(Array(early)) }
  }

  private func decode(_ record: [UInt8]) throws -> Card {
    try CardRecord.decode(record.span.bytes, id: Samples.identifier(), revision: 1)
  }

  @Test("A file name is turned into a valid attachment name")
  func names() {
    #expect(VaultInterface.Attachment.name(from: "a b 身份证.jpg", .jpeg) == "a b 身份证.jpg")
    #expect(VaultInterface.Attachment.name(from: "a\nb\tc\u{7F}.jpg", .jpeg) == "a_b_c_.jpg")
    #expect(VaultInterface.Attachment.name(from: "", .pdf) == "document.pdf")
    #expect(VaultInterface.Attachment.name(from: "..", .png) == "image.png")
    #expect(
      VaultInterface.Attachment.name(from: String(repeating: "x", count: 300) + ".jpg", .jpeg).count == 255)
  }
}
