import VaultInterface
import Wire

/// The page of a card, for people.
enum CardPage {
  /// What stands in place of a concealed value.
  static func dots(_ language: Language) -> String {
    "••••••••  " + Localized("(concealed; --reveal shows it)", "（已隐藏；用 --reveal 显示）")[language]
  }

  private static func codeDots(_ language: Language) -> String {
    "••••••  " + Localized("(one-time code; qv code shows it)", "（一次性密码；用 qv code 查看）")[language]
  }

  static func lines(_ card: CardJSON, reveals: Bool, title: (String) -> String, _ language: Language)
    -> [String]
  {
    let text = { (english: String, chinese: String) in Localized(english, chinese)[language] }
    let fields = card.shownFields
    let width = fields.map(\.label.oneLine.displayWidth).max() ?? 0
    var lines = [title(card.title.oneLine) + (card.isPinned ? "  * " + text("pinned", "已置顶") : "")]
    let about = [card.type.name[language], card.group.name[language]]
    lines.append((about + card.tags.map { "#" + $0.oneLine }).joined(separator: " · "))
    lines.append("")
    for field in fields {
      let label = field.label.oneLine.padded(to: width) + "  "
      if field.isConcealed, !reveals {
        let isKey = card.oneTimeCodes?.contains(field.label) ?? false
        lines.append(label + (isKey ? codeDots(language) : dots(language)))
      } else {
        let rows = field.value.lines.map(\.printable)
        let indentation = String(repeating: " ", count: width + 2)
        lines.append(label + rows.joined(separator: "\n" + indentation))
      }
    }
    if !card.attachments.isEmpty {
      lines += ["", text("Attachments", "附件")] + card.attachments.numbered(language).map { "  " + $0 }
    }
    let (modified, created) = (card.modifiedAt.local, card.createdAt.local)
    lines += [
      "",
      text(
        "Modified \(modified) · created \(created) · revision \(card.revision)",
        "修改于 \(modified) · 创建于 \(created) · 修订号 \(card.revision)"),
      "\(card.id)",
    ]
    return lines
  }
}

extension CardJSON {
  var shortID: String { id.short }

  /// A field of the template or one of the user's.
  struct ShownField {
    /// Nil for a field of the user's.
    let key: String?
    let label: String
    let value: String
    let isConcealed: Bool

    /// What the service takes for the field.
    var name: String { key ?? label }
  }

  /// The fields of the template, and then the user's.
  var shownFields: [ShownField] {
    let own = (extraFields ?? []).map {
      ShownField(key: nil, label: $0.label, value: $0.value, isConcealed: $0.concealed)
    }
    return (fields ?? []).map {
      ShownField(key: $0.key, label: $0.label, value: $0.value, isConcealed: $0.isConcealed)
    } + own
  }

  /// Type and group in brackets, for a line about the card.
  func kind(_ language: Language) -> String {
    let (type, group) = (type.name[language], group.name[language])
    return Localized("  (\(type), \(group))", "（\(type)，\(group)）")[language]
  }
}

/// A type or group of cards, which people name as the protocol does or in either language.
protocol NamedKind: CaseIterable, RawRepresentable<String> {
  var label: Localized { get }
}

extension CardType: NamedKind {}
extension CardGroup: NamedKind {}

extension NamedKind {
  var name: Localized { Localized(label.english.lowercased(), label.simplifiedChinese) }

  /// - Parameter word: the name on the wire, or what it is called in either language.
  init?(named word: String) {
    let folded = word.foldedName
    let found = Self.allCases.first {
      $0.rawValue == folded || $0.name.english == folded || $0.name.simplifiedChinese == word
    }
    guard let found else { return nil }
    self = found
  }
}

extension Identifier {
  /// The first digits, which people read and type.
  var short: String { String(description.prefix(8)) }

  /// Whether it is what a person typed, or begins with at least four digits of it.
  func isNamed(by text: String, guesses: Bool) -> Bool {
    let text = text.lowercased()
    return description == text || guesses && text.utf8.count >= 4 && description.hasPrefix(text)
  }
}

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
