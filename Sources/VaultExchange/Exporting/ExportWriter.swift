public import VaultInterface
public import Wire

/// Writes cards one by one, so that only one is in memory at a time.
///
/// ```swift
/// var writer = ExportWriter(.json, language: .english, at: now)
/// file.write(writer.head)
/// for card in cards { if let bytes = writer.bytes(of: card) { file.write(bytes) } }
/// file.write(writer.tail)
/// ```
public struct ExportWriter: Sendable {
  private let format: ExportFormat
  private let language: Language
  private let time: Timestamp
  private var columns = ExtraColumns()
  private var cardCount = 0
  private var attachmentCount = 0

  /// Creates a writer for a file.
  /// - Parameters:
  ///   - language: the language of the file's own labels.
  ///   - time: when the file is written.
  public init(_ format: ExportFormat, language: Language, at time: Timestamp) {
    (self.format, self.language, self.time) = (format, language, time)
  }

  /// Adds the columns that a card needs. Call it for every card before the first is written.
  public mutating func prepare(_ card: Card) {
    columns.add(card)
  }

  /// The start of the file.
  public var head: [UInt8] {
    switch format {
    case .json: JSONExport.head(at: time)
    case .csv: CSVExport.head(columns)
    case .vcard, .markdown: []
    }
  }

  /// A card; nil if the format has no place for its type.
  public mutating func bytes(of card: Card) -> [UInt8]? {
    let bytes: [UInt8]?
    switch format {
    case .json: bytes = (cardCount == 0 ? [] : JSONExport.separator) + JSONExport.bytes(of: card)
    case .csv: bytes = CSVExport.bytes(of: card, columns)
    case .vcard: bytes = VCardExport.bytes(of: card)
    case .markdown:
      // Only templates can be refused.
      let text = try? card.text(as: .markdown, in: language, includesConcealed: true)
      bytes = text.map { Array(((cardCount == 0 ? "" : "\n") + $0 + "\n").utf8) }
    }
    if bytes != nil { cardCount += 1 }
    return bytes
  }

  /// An attachment, after all cards; nil if the format has no place for any.
  public mutating func bytes(of attachment: ExportedAttachment, content: RawSpan) -> [UInt8]? {
    guard format.holdsAttachments else { return nil }
    defer { attachmentCount += 1 }
    let lead = attachmentCount == 0 ? JSONExport.attachments : JSONExport.separator
    return lead + JSONExport.bytes(of: attachment, content: content)
  }

  /// The end of the file.
  public var tail: [UInt8] {
    format == .json ? JSONExport.tail(hasAttachments: attachmentCount > 0) : []
  }
}

/// An attachment to export, without its content.
public struct ExportedAttachment: Hashable, Sendable {
  /// The card that it belongs to.
  public var card: Identifier
  public var name: String
  /// Its media type, such as `image/png`.
  public var mediaType: String
  /// When it was attached.
  public var addedAt: Timestamp
  public var watermark: Watermark?

  /// Creates an attachment to export.
  public init(
    card: Identifier, name: String, mediaType: String, addedAt: Timestamp, watermark: Watermark?
  ) {
    (self.card, self.name, self.mediaType) = (card, name, mediaType)
    (self.addedAt, self.watermark) = (addedAt, watermark)
  }
}

/// QuickVault's own JSON: an object with a line for each card and each attachment.
enum JSONExport {
  static let separator = Array(",\n".utf8)
  static let attachments = Array("\n],\n\"attachments\":[\n".utf8)

  static func head(at time: Timestamp) -> [UInt8] {
    let head = "{\"quickvault\":\(JSONImport.version),\"exportedAt\":\(JSON.string(time.description).text),\n"
    return Array((head + "\"cards\":[\n").utf8)
  }

  static func tail(hasAttachments: Bool) -> [UInt8] {
    Array((hasAttachments ? "\n]}\n" : "\n],\n\"attachments\":[]}\n").utf8)
  }

  static func bytes(of card: Card) -> [UInt8] {
    let json: JSON = [
      "id": .string(card.id.description), "revision": .integer(Int(card.revision)),
      "title": .string(card.title),
      "group": .string(card.group.rawValue), "type": .string(card.type.rawValue),
      "tags": .array(card.tags.map(JSON.string)), "pinned": .bool(card.pinned),
      "createdAt": .string(card.createdAt.description), "modifiedAt": .string(card.modifiedAt.description),
      "fields": .object(card.orderedFields.map { JSON.Member($0.field.key, .string($0.value)) }),
      "extraFields": extraFields(card.extraFields),
    ]
    return json.utf8
  }

  /// Extra fields, as a card has them.
  static func extraFields(_ fields: [ExtraField]) -> JSON {
    .array(
      fields.map { field in
        ["label": .string(field.label), "value": .string(field.value), "concealed": .bool(field.concealed)]
      })
  }

  private static func watermark(_ watermark: Watermark) -> JSON {
    [
      "text": .string(watermark.text), "opacity": .integer(watermark.opacity),
      "angle": .integer(watermark.angle), "size": .integer(watermark.size),
      "spacing": .integer(watermark.spacing),
    ]
  }

  static func bytes(of attachment: ExportedAttachment, content: RawSpan) -> [UInt8] {
    let members: JSON = [
      "card": .string(attachment.card.description), "name": .string(attachment.name),
      "mediaType": .string(attachment.mediaType), "addedAt": .string(attachment.addedAt.description),
      "watermark": attachment.watermark.map(watermark) ?? .null,
    ]
    var bytes = members.utf8
    bytes.reserveCapacity(bytes.count + content.byteCount / 3 * 4 + 32)
    bytes.removeLast()
    bytes += Array(",\"data\":\"".utf8)
    bytes += Array(Base64.encode(content).utf8)
    bytes += Array("\"}".utf8)
    return bytes
  }
}
