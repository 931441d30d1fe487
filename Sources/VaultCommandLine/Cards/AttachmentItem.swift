import JSON
import VaultModel

/// An attachment as the server sends it, without its content.
struct AttachmentItem {
  let json: JSON

  init(_ json: JSON) {
    self.json = json
  }

  var id: String { json["id"]?.string ?? "" }
  var name: String { json["name"]?.string ?? "" }
  var mediaType: String { json["mediaType"]?.string ?? "" }
  var size: Int { json["size"]?.integer ?? 0 }
  var width: Int { json["width"]?.integer ?? 0 }
  var height: Int { json["height"]?.integer ?? 0 }
  /// The text of the watermark; nil without one.
  var watermark: String? { json["watermark"]?["text"]?.string }

  /// Format, size and watermark in a line.
  func description(_ language: Language) -> String {
    var parts = [mediaType.fileName.uppercased(), "\(width)×\(height)", Self.sizeText(size)]
    if let watermark {
      parts.append(Localized("watermark: ", "水印：")[language] + watermark.oneLine)
    }
    return parts.joined(separator: " · ")
  }

  static func sizeText(_ size: Int) -> String {
    guard size >= 1 << 10 else { return "\(size) B" }
    let (unit, name) = size < 1 << 20 ? (1 << 10, "KiB") : (1 << 20, "MiB")
    let tenths = (size * 10 + unit / 2) / unit
    return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(name)"
  }

  /// Lines of a numbered list.
  static func numbered(_ items: [AttachmentItem], _ language: Language) -> [String] {
    let width = items.map(\.name.oneLine.displayWidth).max() ?? 0
    return items.enumerated().map { index, item in
      "\(index + 1)  \(item.name.oneLine.padded(to: width))  \(item.description(language))"
    }
  }

  /// The columns for other programs.
  var columns: [String] {
    [id, name.oneLine, mediaType, String(size), String(width), String(height), (watermark ?? "").oneLine]
  }

  /// The attachments that match a name, a number in the list or an id; all for an empty text.
  ///
  /// - Parameter guesses: whether the beginning of an id will do.
  static func matching(_ wanted: String, in items: [AttachmentItem], guesses: Bool) -> [AttachmentItem] {
    if wanted.isEmpty { return items }
    let named = items.filter { $0.name == wanted }
    if !named.isEmpty { return named }
    if let number = Int(wanted), wanted.count <= 3, wanted.first != "0" {
      return items.indices.contains(number - 1) ? [items[number - 1]] : []
    }
    return items.filter { $0.id.isNamed(by: wanted, guesses: guesses) }
  }
}
