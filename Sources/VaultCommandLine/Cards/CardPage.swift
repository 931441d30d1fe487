import VaultModel

/// The page of a card, for people.
enum CardPage {
  private static let dots = "••••••••"

  static func lines(_ card: Card, reveals: Bool, _ output: Output, _ language: Language) -> [String] {
    let text = { (english: String, chinese: String) in Localized(english, chinese)[language] }
    let fields = card.fields + card.extraFields
    let width = fields.map(\.label.oneLine.displayWidth).max() ?? 0
    var lines = [output.bold(card.title.oneLine) + (card.isPinned ? "  * " + text("pinned", "已置顶") : "")]
    let about = [Card.typeName(card.type)[language], Card.groupName(card.group)[language]]
    lines.append((about + card.tags.map { "#" + $0.oneLine }).joined(separator: " · "))
    lines.append("")
    for field in fields {
      let label = field.label.oneLine.padded(to: width) + "  "
      if field.isConcealed, !reveals {
        lines.append(label + dots + "  " + text("(concealed; --reveal shows it)", "（已隐藏；用 --reveal 显示）"))
      } else {
        let rows = field.value.lines.map(\.printable)
        let indentation = String(repeating: " ", count: width + 2)
        lines.append(label + rows.joined(separator: "\n" + indentation))
      }
    }
    let attachments = card.attachments
    if !attachments.isEmpty {
      lines +=
        ["", text("Attachments", "附件")] + AttachmentItem.numbered(attachments, language).map { "  " + $0 }
    }
    let (modified, created) = (LocalTime.text(card.modifiedAt), LocalTime.text(card.createdAt))
    lines += [
      "",
      text(
        "Modified \(modified) · created \(created) · revision \(card.revision)",
        "修改于 \(modified) · 创建于 \(created) · 修订号 \(card.revision)"),
      card.id,
    ]
    return lines
  }
}
