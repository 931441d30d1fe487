import VaultInterface
import Wire

enum CopyCommand {
  static let options: [Option] = [.field, .style, .template, Option(name: "concealed"), .search]

  static let command = Command(
    name: "copy", aliases: ["cp", "clip"], summary: Localized("copy a card or a field", "复制卡片或字段"),
    options: options + [.clipboardCommand, Option(name: "print", short: "p")] + Option.password,
    operands: [.titles]
  ) { invocation throws(Failure) in
    let card = try CardReference.resolve(invocation.words, for: .reading, invocation)
    let text = try CopiedText(card.value, invocation)
    text.reportOmittedFields(invocation)
    if invocation.arguments.has("print") {
      try invocation.output.write(text.text)
      if invocation.output.isTerminal { try invocation.output.write("\n") }
    } else {
      try Clipboard.copy(text, invocation)
      if let seconds = text.secondsLeft { invocation.mention("valid for \(seconds) s", "\(seconds) 秒内有效") }
    }
  }
}

/// A card or a field as text for the clipboard.
struct CopiedText {
  let text: String
  /// A name for it, for a message.
  let name: String
  /// Nil if the clipboard is not cleared.
  let clearAfterSeconds: Int?
  /// For how long a one-time code is valid; nil for any other text.
  let secondsLeft: Int?
  private let leftOut: [OmittedField]

  init(_ text: String, name: String, clearAfterSeconds: Int?) {
    (self.text, self.name, self.clearAfterSeconds) = (text, name, clearAfterSeconds)
    (secondsLeft, leftOut) = (nil, [])
  }

  init(_ card: CardJSON, _ invocation: Invocation, field: String? = nil) throws(Failure) {
    let arguments = invocation.arguments
    let chosen = field ?? arguments[.field]
    let answer = try invocation.vault.ask(
      CardCopy(
        id: card.id, form: try Self.form(chosen, arguments),
        includesConcealed: arguments.has("concealed") && chosen == nil))
    text = answer.text
    name = [card.title, chosen].compactMap(\.self).joined(separator: " · ")
    (clearAfterSeconds, secondsLeft) = (answer.clearAfterSeconds, answer.secondsLeft)
    leftOut = answer.leftOut
  }

  private static func form(_ field: String?, _ arguments: Arguments) throws(Failure) -> CopyForm {
    let (style, template): (CopyStyle?, String?) = (try arguments.word("style"), arguments[.template])
    let isClear =
      field == nil ? template == nil || style == nil || style == .template : template == nil && style == nil
    guard isClear else {
      throw .exit(
        .invalid,
        Localized("give one of --field, --style and --template", "--field、--style 与 --template 只能用一个"))
    }
    return field.map(CopyForm.field) ?? template.map(CopyForm.template) ?? .style(style)
  }

  /// Names the fields of the card that the text does not have.
  func reportOmittedFields(_ invocation: Invocation) {
    guard !leftOut.isEmpty else { return }
    let labels = leftOut.map(\.label.oneLine).joined(separator: invocation.text(", ", "、"))
    if leftOut.contains(where: \.concealed) {
      invocation.report(
        "left out: \(labels) (--concealed copies concealed fields too)",
        "未复制：\(labels)（用 --concealed 可复制保密字段）")
    } else {
      invocation.report("left out: \(labels)", "未复制：\(labels)")
    }
  }
}
