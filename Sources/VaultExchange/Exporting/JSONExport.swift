import VaultInterface
import Wire

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
