public import Wire

/// An attachment as an entry of its card's record: the key is the name, the value is laid out as the vault format says.
///
/// Id (16 bytes) ‖ revision (8) ‖ media type (1) ‖ watermark 0 or 1 (1) ‖ zero (2) ‖ size (4) ‖ width (4) ‖ height (4) ‖
/// added at (8) ‖ salt and tag (32), and with a watermark opacity (2) ‖ angle (2) ‖ size (2) ‖ spacing (2) ‖ text.
enum AttachmentEntry {
  static let headByteCount = 80
  static let markHeadByteCount = 8

  static func value(of attachment: Attachment) throws(CardRecordError) -> [UInt8] {
    let numbers = [attachment.size, attachment.width, attachment.height].map { UInt32(exactly: $0) }
    var bytes: [UInt8] = []
    append(attachment.id.high, to: &bytes)
    append(attachment.id.low, to: &bytes)
    append(attachment.revision, to: &bytes)
    bytes += [attachment.mediaType.recordCode, attachment.watermark == nil ? 0 : 1, 0, 0]
    for number in numbers {
      guard let number else { throw .tooLong }
      append(number, to: &bytes)
    }
    append(attachment.addedAt.milliseconds, to: &bytes)
    bytes += attachment.seal.bytes
    if let watermark = attachment.watermark {
      append(UInt16(clamping: watermark.opacity), to: &bytes)
      append(Int16(clamping: watermark.angle), to: &bytes)
      append(UInt16(clamping: watermark.size), to: &bytes)
      append(UInt16(clamping: watermark.spacing), to: &bytes)
      bytes += Array(watermark.text.utf8)
    }
    return bytes
  }

  static func read(_ entry: CardRecord.Entry, of record: RawSpan) throws(CardRecordError) -> Attachment {
    let at = entry.value.lowerBound
    let id = try identifier(entry, of: record)
    guard let type = MediaType(recordCode: CardRecord.byte(at + 24, of: record)),
      CardRecord.byte(at + 25, of: record) <= 1, CardRecord.integer(at + 26, 2, of: record) == 0
    else { throw .malformedAttachment }
    let isWatermarked = CardRecord.byte(at + 25, of: record) == 1
    let sealBytes = (at + 48..<at + 80).map { CardRecord.byte($0, of: record) }
    let revision = Int64(bitPattern: CardRecord.integer(at + 16, 8, of: record))
    guard let seal = ContentSeal(sealBytes), revision > 0, isWatermarked || entry.value.count == headByteCount
    else {
      throw .malformedAttachment
    }
    return Attachment(
      id: id, revision: revision, name: try CardRecord.text(entry.key, of: record), mediaType: type,
      size: Int(CardRecord.integer(at + 28, 4, of: record)),
      width: Int(CardRecord.integer(at + 32, 4, of: record)),
      height: Int(CardRecord.integer(at + 36, 4, of: record)),
      addedAt: Timestamp(milliseconds: Int64(bitPattern: CardRecord.integer(at + 40, 8, of: record))),
      watermark: isWatermarked ? try watermark(entry, of: record) : nil, seal: seal)
  }

  /// The id alone.
  static func identifier(
    _ entry: CardRecord.Entry, of record: RawSpan
  ) throws(CardRecordError) -> Identifier {
    guard entry.value.count >= headByteCount else { throw .malformedAttachment }
    let at = entry.value.lowerBound
    return Identifier(
      high: CardRecord.integer(at, 8, of: record), low: CardRecord.integer(at + 8, 8, of: record))
  }

  private static func watermark(
    _ entry: CardRecord.Entry, of record: RawSpan
  ) throws(CardRecordError) -> Watermark {
    let at = entry.value.lowerBound + headByteCount
    guard entry.value.count > headByteCount + markHeadByteCount else { throw .malformedAttachment }
    let watermark = Watermark(
      text: try CardRecord.text(at + markHeadByteCount..<entry.value.upperBound, of: record),
      opacity: Int(CardRecord.integer(at, 2, of: record)),
      angle: Int(Int16(truncatingIfNeeded: CardRecord.integer(at + 2, 2, of: record))),
      size: Int(CardRecord.integer(at + 4, 2, of: record)),
      spacing: Int(CardRecord.integer(at + 6, 2, of: record)))
    guard (try? watermark.validate()) != nil else { throw .malformedAttachment }
    return watermark
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }
}

extension MediaType {
  init?(recordCode: UInt8) {
    switch recordCode {
    case 1: self = .jpeg
    case 2: self = .png
    case 3: self = .heic
    case 4: self = .pdf
    default: return nil
    }
  }

  var recordCode: UInt8 {
    switch self {
    case .jpeg: 1
    case .png: 2
    case .heic: 3
    case .pdf: 4
    }
  }
}

/// The parts of an attachment that an index needs to find it and check that its content exists.
public struct IndexedAttachment: Hashable, Sendable {
  public let id: Identifier
  /// The length of its content in bytes.
  public let size: Int
  /// The salt and the tag of its sealed content.
  public let seal: ContentSeal
}

extension CardRecord {
  /// The location of the attachments in a record.
  /// - Throws: ``CardRecordError`` when an entry is malformed.
  public static func attachments(of record: RawSpan) throws(CardRecordError) -> [IndexedAttachment] {
    var places: [IndexedAttachment] = []
    var cursor = Cursor()
    while let entry = try cursor.next(in: record) {
      guard entry.role == .attachment else { continue }
      places.append(try IndexedAttachment(AttachmentEntry.read(entry, of: record)))
    }
    return places
  }

  /// Whether a record has an attachment.
  /// - Throws: ``CardRecordError`` when an entry before it is malformed.
  public static func hasAttachment(_ record: RawSpan) throws(CardRecordError) -> Bool {
    var cursor = Cursor()
    while let entry = try cursor.next(in: record) {
      if entry.role == .attachment { return true }
    }
    return false
  }
}

extension IndexedAttachment {
  public init(_ attachment: Attachment) {
    self.init(id: attachment.id, size: attachment.size, seal: attachment.seal)
  }
}
