import JSON
public import VaultModel

/// An attachment of a file: what is said of it, and where its content stands.
public struct AttachmentInJSON: Hashable, Sendable {
  /// The line in which it begins, from 1.
  public var line: Int
  /// The name that the file gives it.
  public var name: String
  /// What is drawn over it.
  public var watermark: Watermark?
  /// When it was attached, where the file says so.
  public var addedAt: Timestamp?
  /// Where its content stands, in Base64 and between quotation marks.
  let data: JSONElements.Part

  /// Reads an attachment, but for its content; members that are not known are passed over.
  ///
  /// - Returns: the attachment, and the id of its card in the file; nil for what is none.
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

  /// A watermark, by its text alone or with how it is drawn; nil for what is none.
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
  /// The content of an attachment in Base64, one at a time: it may have some 14 million characters. Nil for what is no text.
  public func data(of attachment: AttachmentInJSON) -> String? {
    JSONElements.read(attachment.data, of: text)?.string
  }

  /// How many attachments the file has.
  public var attachmentCount: Int { entries.reduce(strayAttachments) { $0 + $1.attachments.count } }

  /// Notes that an entry's attachments are not looked at, since the vault has its card.
  public mutating func noteAttachmentsOfDuplicate(at index: Int) {
    guard entries.indices.contains(index) else { return }
    entries[index].warnings.append(
      Issue(field: "attachments", code: .leftOut, message: Words.attachmentsOfDuplicate))
  }

  /// Notes why an attachment of an entry is not stored.
  public mutating func leaveOut(_ attachment: AttachmentInJSON, because reason: Localized, at index: Int) {
    guard entries.indices.contains(index) else { return }
    let message = Words.leftOut(attachment.name, reason)
    entries[index].warnings.append(Issue(field: "attachments", code: .leftOut, message: message))
  }
}
