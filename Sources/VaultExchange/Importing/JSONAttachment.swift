public import VaultInterface
import Wire

/// An attachment in a file: its description, and the position of its content.
public struct JSONAttachment: Hashable, Sendable {
  /// The line in which it begins, from 1.
  public var line: Int
  public var name: String
  public var watermark: Watermark?
  /// When it was attached, where the file says so.
  public var addedAt: Timestamp?
  /// The position of its content, which is a JSON string in Base64.
  let data: JSONElements.Part

  /// Reads an attachment without its content. Unknown members are ignored.
  ///
  /// - Returns: the attachment, and the ID of its card in the file; nil if the value is not an attachment.
  static func read(_ part: JSONElements.Part, of text: [UInt8]) -> (card: String, attachment: Self)? {
    guard let members = try? JSONElements.members(of: part, in: text) else { return nil }
    func value(_ name: String) -> JSON? {
      members.first { $0.name == name }.flatMap { JSONElements.read($0.part, of: text) }
    }
    guard let card = value("card")?.string, let name = value("name")?.string,
      let data = members.first(where: { $0.name == "data" })?.part,
      let watermark = Self.watermark(value("watermark"))
    else { return nil }
    var attachment = Self(line: part.line, name: name, watermark: watermark, data: data)
    attachment.addedAt = value("addedAt")?.string.flatMap { Timestamp($0) }
    return (card, attachment)
  }

  /// Reads a watermark: its text alone, or with its style; nil if the value is not one.
  private static func watermark(_ json: JSON?) -> Watermark?? {
    switch json {
    case nil, .null?: return .some(nil)
    case .string(let text)?: return .some(Watermark(text: text))
    case .object?:
      guard let json, let text = json["text"]?.string else { return nil }
      var watermark = Watermark(text: text)
      let measures: [(String, WritableKeyPath<Watermark, Int>)] = [
        ("opacity", \.opacity), ("angle", \.angle), ("size", \.size), ("spacing", \.spacing),
      ]
      for (name, measure) in measures where json[name] != nil {
        guard let value = json[name]?.integer else { return nil }
        watermark[keyPath: measure] = value
      }
      return .some(watermark)
    default: return nil
    }
  }
}

extension ImportedFile {
  /// Returns the content of an attachment in Base64, up to 14 million characters; nil if it is not a string.
  public func data(of attachment: JSONAttachment) -> String? {
    JSONElements.read(attachment.data, of: text)?.string
  }

  public var attachmentCount: Int { entries.reduce(orphanedAttachments) { $0 + $1.attachments.count } }

  /// Adds a warning that an entry's attachments were ignored because the vault has its card.
  public mutating func warnAttachmentsOfDuplicate(at index: Int) {
    guard entries.indices.contains(index) else { return }
    entries[index].warnings.append(
      Issue(field: "attachments", code: .leftOut, message: ImportMessages.attachmentsOfDuplicate))
  }

  /// Adds a warning about an attachment that was not imported.
  public mutating func skip(_ attachment: JSONAttachment, because reason: Localized, at index: Int) {
    guard entries.indices.contains(index) else { return }
    let message = ImportMessages.notImported(attachment.name, reason)
    entries[index].warnings.append(Issue(field: "attachments", code: .leftOut, message: message))
  }
}
