import VaultInterface

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
