import VaultInterface

extension AttachmentJSON {
  /// Format, size and watermark in a line.
  func description(_ language: Language) -> String {
    var parts = [mediaType.rawValue.fileName.uppercased(), "\(width)×\(height)", Self.sizeText(size)]
    if let watermark {
      parts.append(Localized("watermark: ", "水印：")[language] + watermark.text.oneLine)
    }
    return parts.joined(separator: " · ")
  }

  static func sizeText(_ size: Int) -> String {
    guard size >= 1 << 10 else { return "\(size) B" }
    let (unit, name) = size < 1 << 20 ? (1 << 10, "KiB") : (1 << 20, "MiB")
    let tenths = (size * 10 + unit / 2) / unit
    return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(name)"
  }

  /// The columns for other programs.
  var columns: [String] {
    [
      "\(id)", name.oneLine, mediaType.rawValue, String(size), String(width), String(height),
      (watermark?.text ?? "").oneLine,
    ]
  }
}

extension [AttachmentJSON] {
  /// Lines of a numbered list.
  func numbered(_ language: Language) -> [String] {
    let width = map(\.name.oneLine.displayWidth).max() ?? 0
    return enumerated().map { index, item in
      "\(index + 1)  \(item.name.oneLine.padded(to: width))  \(item.description(language))"
    }
  }

  /// The attachments that match a name, a number in the list or an id; all for an empty text.
  ///
  /// - Parameter guesses: whether the beginning of an id will do.
  func matching(_ wanted: String, guesses: Bool) -> [AttachmentJSON] {
    if wanted.isEmpty { return self }
    let named = filter { $0.name == wanted }
    if !named.isEmpty { return named }
    if let number = Int(wanted), wanted.count <= 3, wanted.first != "0" {
      return indices.contains(number - 1) ? [self[number - 1]] : []
    }
    return filter { $0.id.isNamed(by: wanted, guesses: guesses) }
  }
}
