import Glibc
import VaultInterface
import Wire

enum NewCommand {
  static let command = Command(
    name: "new", aliases: ["add", "create"], summary: Localized("create a card", "新建卡片"),
    options: [
      .json, .title, .group, .tag, Option(name: "pin"), .extra, .conceal, .fromJSON, Option(name: "edit"),
    ]
      + Option.password,
    operands: [.types, .assignments], repeatsOperands: true
  ) { invocation throws(Failure) in
    var operands = invocation.operands
    let isPinned = invocation.arguments.has("pin")
    // Asked for before a form is filled in, so that nothing typed is lost.
    try invocation.vault.ensureOpen()
    if try CardInput.isWanted(&operands, invocation) {
      if let word = operands.first { throw .unexpectedArgument(word) }
      let given = try CardInput.read(invocation, takesText: !invocation.arguments.has(.fromJSON))
      let answer = try invocation.vault.attempt(CardCreate.method, given, announces: true)
      try StoredCard.show(answer.read(CardCreate.self), invocation)
      return
    }
    var type: CardType?
    if let word = operands.first, Assignments.split(word) == nil {
      type = CardType(named: operands.removeFirst())
      guard type != nil else {
        throw .usage(
          Localized(
            "there is no card type \(word); use address, invoice, title or text",
            "没有卡片类型 \(word)：可用 address、invoice、title、text"))
      }
    }
    let assignments = try Assignments(operands, invocation)
    if type == nil {
      guard Terminal.isInteractive else {
        throw .usage(
          Localized("which type? address, invoice, title or text", "请指定类型：address、invoice、title 或 text"))
      }
      type = CardType(
        rawValue: try FormPrompts(invocation).askChoice(
          Localized("Type", "类型"), CardType.self, usual: CardType.address.rawValue))
    }
    var form = CardForm(type: type ?? .address)
    try assignments.apply(to: &form)
    let given = form
    let drafts = FormDrafts(invocation, type: form.type)
    if invocation.arguments.has("edit") {
      let draft = try assignments.isEmpty ? drafts.offered() : nil
      return try edit(form, draft, drafts, isPinned: isPinned, invocation)
    }
    if Terminal.isInteractive {
      if assignments.isEmpty, let draft = try drafts.offered() {
        form = drafts.form(draft, of: form)
        try drafts.keeping(&form, unless: given) { form throws(Failure) in
          try FormPrompts(invocation).askAll(&form)
        }
      } else {
        try drafts.keeping(&form, unless: given) { form throws(Failure) in
          try FormPrompts(invocation).askNew(&form, given: assignments)
        }
      }
    }
    try store(&form, unless: given, drafts, isPinned: isPinned, invocation)
    drafts.discard()
  }

  /// Stores a filled-in form as a new card.
  ///
  /// - Parameter given: the form without what was typed.
  static func store(
    _ form: inout CardForm, unless given: CardForm, _ drafts: FormDrafts, isPinned: Bool = false,
    _ invocation: Invocation
  ) throws(Failure) {
    let submission = CardSubmission<CardForm>(invocation, wasTyped: form != given)
    try drafts.keeping(&form, unless: given) { form throws(Failure) in
      try submission.store(&form) { form throws(Failure) in
        try form.requireGroup()
        return try invocation.vault.attempt(CardCreate(draft: form.draft(pinned: isPinned)), announces: true)
      }
    }
  }

  /// Has the card, or a draft, edited as text.
  private static func edit(
    _ form: CardForm, _ draft: FormDraft?, _ drafts: FormDrafts, isPinned: Bool, _ invocation: Invocation
  ) throws(Failure) {
    guard let editor = FormEditor(invocation) else {
      throw .usage(
        Localized(
          "--edit needs a terminal, and an editor in $VISUAL or $EDITOR",
          "--edit 需要终端，并在 $VISUAL 或 $EDITOR 中指定编辑器"))
    }
    let text = form.text(in: invocation.language)
    let card = try editor.store(draft?.text ?? text, unless: text, drafts) { text in
      FormSave(form: drafts.place, revision: nil, text: text)
    }
    if isPinned { try invocation.vault.ask(CardSetPinned(id: card.id, isPinned: true)) }
  }
}

/// A card as JSON on standard input.
enum CardInput {
  /// Returns whether the card comes from standard input, and removes the operand that says so.
  static func isWanted(_ operands: inout [String], _ invocation: Invocation) throws(Failure) -> Bool {
    if let source = invocation.arguments[.fromJSON] {
      guard source == "-" else {
        throw .usage(
          Localized(
            "--from-json reads standard input only: --from-json -", "--from-json 只读取标准输入：--from-json -"))
      }
      return true
    }
    guard let index = operands.lastIndex(of: "-") else { return false }
    operands.remove(at: index)
    return true
  }

  /// The parameters for a card, which may be the output of `qv show --json`.
  ///
  /// - Parameter takesText: whether what does not begin as JSON is a text that becomes a card.
  static func read(
    _ invocation: Invocation, keepsRevision: Bool = false, takesText: Bool = false
  ) throws(Failure) -> JSON {
    let input = try invocation.readInput(
      takesText
        ? Localized("type JSON or a text, and end it with Ctrl-D", "请输入 JSON 或一段文字，以 Ctrl-D 结束")
        : Localized("type a JSON object and end it with Ctrl-D", "请输入一个 JSON 对象，以 Ctrl-D 结束"))
    let text = String(decoding: input, as: UTF8.self)
    if takesText, !text.isBlank, let first = text.trimmed.first, !"{[".contains(first) {
      return CardCreate(draft: CardDraft(pasted: text)).json
    }
    guard let value = try? JSONReader.read(input), case .object(var members) = value else {
      throw .usage(Localized("standard input is not a JSON object", "标准输入不是 JSON 对象"))
    }
    var unwanted = ["id", "createdAt", "modifiedAt", "attachments"]
    unwanted += keepsRevision ? ["type"] : ["revision"]
    members.removeAll { unwanted.contains($0.name) }
    for index in members.indices where members[index].name == "fields" {
      guard case .array(let fields) = members[index].value else { continue }
      members[index].value = .object(fields.map { .init($0["key"]?.string ?? "", $0["value"] ?? .null) })
    }
    return .object(members)
  }
}

enum PasteCommand {
  static let command = Command(
    name: "paste", summary: Localized("create a card from what you have copied", "用复制的内容新建卡片"),
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
