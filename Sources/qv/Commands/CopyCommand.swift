import VaultInterface
import Wire

enum CopyCommand {
  static let options: [Option] = [.field, .style, .template, Option(name: "concealed"), .search]

  static let command = Command(
    name: "copy", aliases: ["cp", "clip"], summary: Localized("copy a card or a field", "复制卡片或字段"),
    help: Localized(
      """
      qv copy CARD [--field FIELD] [--style STYLE] [--template TEXT] [--concealed]
              [--clipboard-command COMMAND | --print] [--search]

      Copies a card or a field to the clipboard: with wl-copy, xclip, xsel or pbcopy, else through tmux or the
      terminal itself (OSC 52), also over ssh. Clears it after the time in the settings unless it has changed.
      What goes through the terminal cannot be cleared. --clipboard-command runs a command of yours with the
      text as its input, --print prints the text. Nothing is printed unless you ask for it.
      Styles: labelled, values, oneLine, markdown, json, template (from the settings). qv settings has the default
      style of each type, and whether numbers are copied as digits only (copiedNumbers).
      A template is text such as '{name} {phone} {province}{city}{district}{address}'.
      Concealed fields are copied only with --concealed or by their name; what was left out is named. Of a key for
      one-time codes (--field totp), the code of the moment is copied.
      """,
      """
      qv copy 卡片 [--field 字段] [--style 样式] [--template 文本] [--concealed]
              [--clipboard-command 命令 | --print] [--search]

      把卡片或字段复制到剪贴板：用 wl-copy、xclip、xsel 或 pbcopy，否则通过 tmux 或终端本身（OSC 52），
      经 ssh 也可以。达到设置的时间后，若内容未变则清除；通过终端复制的无法清除。
      --clipboard-command 运行您的命令并把文本作为其输入，--print 输出文本。不加 --print 时绝不输出内容。
      样式：labelled、values、oneLine、markdown、json、template（取自设置）。各类型的默认样式，以及号码是否只复制数字
      （copiedNumbers），见 qv settings。
      模板示例：'{name} {phone} {province}{city}{district}{address}'。
      保密字段只有使用 --concealed 或指定其名称时才会复制；未复制的字段会列出名称。
      对一次性密码的密钥（--field totp），复制的是此刻的密码。
      """),
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
