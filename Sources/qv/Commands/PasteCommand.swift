import Glibc
import VaultInterface
import Wire

enum PasteCommand {
  static let command = Command(
    name: "paste", summary: Localized("create a card from what you have copied", "用复制的内容新建卡片"),
    help: Localized(
      """
      qv paste [--title TITLE] [--group GROUP] [--tag TAG]...
      qv paste -
      qv paste --json

      Makes a card of the text on the clipboard: an address with receiver and phone, details for an invoice, or
      any other text. Opens it in $VISUAL or $EDITOR, on a private file in memory; without an editor, asks for
      every field with its value. What belongs to no field is in the notes.
      - reads standard input, and so does a pipe: xclip -o | qv paste. There the card is stored at once.
      --json prints what was understood, and needs no vault.
      """,
      """
      qv paste [--title 标题] [--group 分组] [--tag 标签]…
      qv paste -
      qv paste --json

      用剪贴板中的文字新建卡片：带收件人和电话的地址、开票信息，或其他任何文字。卡片用 $VISUAL 或 $EDITOR
      打开，文件为内存中的私有文件；没有编辑器时逐项询问，可直接编辑识别出的内容。不属于任何字段的内容放在备注中。
      - 读取标准输入，管道也是如此：xclip -o | qv paste。此时直接保存卡片。
      --json 只输出识别结果，不需要保险库。
      """),
    options: [.json, .title, .group, .tag] + Option.password, operands: [.words(["-"])]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    var draft = CardDraft(pasted: try text(invocation))
    if invocation.arguments.has(.json) {
      return try invocation.output.json(CardParse.Response(draft: CardParse.Draft(draft)).json)
    }
    if let title = invocation.arguments[.title] { draft.title = title }
    if let group = try invocation.arguments.group { draft.group = group }
    draft.tags = invocation.arguments.all(.tag)
    try invocation.vault.ensureOpen()
    try store(CardForm(draft), invocation)
  }

  /// The text on standard input, or on the clipboard.
  private static func text(_ invocation: Invocation) throws(Failure) -> String {
    if let word = invocation.operands.first, word != "-" { throw .unexpectedArgument(word) }
    var input: [UInt8]?
    if invocation.operands.isEmpty, isatty(0) == 1 {
      for program in ClipboardProgram.available where input == nil { input = try program.content() }
      guard input != nil else {
        throw .exit(
          .failure,
          Localized(
            "the clipboard cannot be read here: install wl-clipboard, xclip or xsel, or use qv paste -",
            "此处无法读取剪贴板：请安装 wl-clipboard、xclip 或 xsel，或使用 qv paste -"))
      }
    }
    let hint = Localized("paste the text and end it with Ctrl-D", "请粘贴文字，以 Ctrl-D 结束")
    let bytes = if let input { input } else { try invocation.readInput(hint, upTo: 4 * Limits.value + 1) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isBlank else {
      throw .exit(.invalid, Localized("there is no text to paste", "没有可粘贴的文字"))
    }
    guard !text.isLonger(than: Limits.value) else {
      throw .exit(
        .invalid,
        Localized("the text has more than \(Limits.value) characters", "文字超过 \(Limits.value) 个字符"))
    }
    return text
  }

  /// Has the card edited where a person can do so, or a draft that there is, and stores it.
  private static func store(_ pasted: CardForm, _ invocation: Invocation) throws(Failure) {
    let drafts = FormDrafts(invocation, type: pasted.type)
    let draft = Terminal.isInteractive ? try drafts.offered() : nil
    if let editor = FormEditor(invocation) {
      let text = draft?.text ?? pasted.text(in: invocation.language)
      try editor.store(text, unless: text, drafts, isFilledIn: draft == nil) { text in
        FormSave(form: drafts.place, revision: nil, text: text)
      }
      return
    }
    var form = draft.map { drafts.form($0, of: CardForm(type: pasted.type)) } ?? pasted
    let given = form
    if Terminal.isInteractive {
      try drafts.keeping(&form, unless: given) { form throws(Failure) in
        try FormPrompts(invocation).askAll(&form)
      }
    }
    try NewCommand.store(&form, unless: given, drafts, invocation)
    if draft != nil { drafts.discard() }
  }
}
