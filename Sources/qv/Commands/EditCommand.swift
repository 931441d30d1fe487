import VaultInterface
import Wire

enum EditCommand {
  static let command = Command(
    name: "edit", summary: Localized("edit a card", "编辑卡片"),
    options: [.json, .title, .group, .tag, .extra, .conceal, .fromJSON, Option(name: "reveal")]
      + Option.password,
    operands: [.titles, .assignments], repeatsOperands: true
  ) { invocation throws(Failure) in
    var (names, words): ([String], [String]) = ([], [])
    for (index, word) in invocation.operands.enumerated() {
      let isBefore = invocation.arguments.separator.map { index < $0 } ?? true
      if isBefore, Assignments.split(word) != nil { words.append(word) } else { names.append(word) }
    }
    let isJSON =
      try names.count > 1 || invocation.arguments.has(.fromJSON)
      ? CardInput.isWanted(&names, invocation) : false
    let assignments = try isJSON ? nil : Assignments(words, invocation)
    let use: CardReference.Use = assignments?.isEmpty == true ? .changingVisibly : .changing
    let id = try CardReference.resolve(names.joined(separator: " "), for: use, invocation).id
    let found = try invocation.vault.card(id)
    if let assignments { return try change(found, assignments, invocation) }
    try change(found.value, by: CardInput.read(invocation, keepsRevision: true), invocation)
  }

  private static func change(_ card: CardJSON, by given: JSON, _ invocation: Invocation) throws(Failure) {
    guard case .object(var members) = given else { return }
    if !members.contains(where: { $0.name == "revision" }) {
      members.append(.init("revision", .integer(card.revision)))
    }
    members.append(.init("id", card.id.json))
    let answer = try invocation.vault.attempt(CardUpdate.method, .object(members), announces: true)
      .read(CardUpdate.self)
    if case .failure(let error) = answer, error.kind == "card.conflict" { throw conflict }
    try StoredCard.show(answer, invocation)
  }

  private static func change(
    _ card: Answer<CardJSON>, _ assignments: Assignments, _ invocation: Invocation
  ) throws(Failure) {
    let before = CardForm(card.value)
    var form = before
    guard assignments.isEmpty else {
      try assignments.apply(to: &form)
      return try store(&form, before, card, card.revision, wasTyped: false, invocation)
    }
    guard Terminal.isInteractive else {
      throw .usage(Localized("nothing to change: give field=value", "没有要修改的内容：请给出 字段=内容"))
    }
    let drafts = FormDrafts(invocation, type: card.type, card: card.value)
    let draft = try drafts.offered()
    if let editor = FormEditor(invocation) { return try edit(card.value, draft, drafts, editor, invocation) }
    if let draft { form = drafts.form(draft, of: before) }
    try drafts.keeping(&form, unless: before) { form throws(Failure) in
      try FormPrompts(invocation).askAll(&form)
      try store(&form, before, card, draft?.revision ?? card.revision, wasTyped: true, invocation)
    }
    drafts.discard()
  }

  /// Has the card, or a draft, edited as text.
  private static func edit(
    _ card: CardJSON, _ draft: FormDraft?, _ drafts: FormDrafts, _ editor: FormEditor,
    _ invocation: Invocation
  ) throws(Failure) {
    let opened = try invocation.vault.ask(
      FormOpen(
        client: FormDrafts.client, subject: .card(card.id),
        revealed: invocation.arguments.has("reveal") ? .all : nil))
    var target = Target(revision: draft?.revision ?? opened.revision)
    let resolve = { (other: CardJSON?) throws(Failure) in try target.resolve(card, other, invocation) }
    try editor.store(draft?.text ?? opened.text, unless: opened.text, drafts, onConflict: resolve) { text in
      FormSave(form: drafts.place, revision: target.revision, text: text, makesNewCard: target.isNewCard)
    }
  }

  private static func store(
    _ form: inout CardForm, _ before: CardForm, _ card: Answer<CardJSON>, _ revision: Int, wasTyped: Bool,
    _ invocation: Invocation
  ) throws(Failure) {
    if form == before { return try StoredCard.show(card, warnings: [], invocation) }
    var target = Target(revision: revision)
    let resolve = { (other: CardJSON?) throws(Failure) in try target.resolve(card.value, other, invocation) }
    let submission = CardSubmission<CardForm>(invocation, wasTyped: wasTyped)
    try submission.store(&form, onConflict: resolve) { form throws(Failure) in
      try form.requireGroup(orNone: target.isNewCard)
      if target.isNewCard {
        let draft = form.draft(pinned: card.isPinned)
        return try invocation.vault.attempt(CardCreate(draft: draft), announces: true)
      }
      guard let change = form.change(from: before) else { throw .declined }
      return try invocation.vault.attempt(
        CardUpdate(id: card.id, revision: target.revision, change: change), announces: true)
    }
  }

  /// What a form is stored as.
  private struct Target {
    var revision: Int?
    var isNewCard = false

    /// Has the user decide about a card that another program has changed; nil if it has deleted it.
    mutating func resolve(_ card: CardJSON, _ other: CardJSON?, _ invocation: Invocation) throws(Failure) {
      if let other, try isOverwritten(other, invocation) {
        revision = other.revision
      } else {
        try askToKeep(card, invocation, isDeleted: other == nil)
        (revision, isNewCard) = (nil, true)
      }
    }
  }

  private static let conflict = Failure.exit(
    .conflict, Localized("another program has changed the card", "这张卡片已被其他程序修改"))

  /// Shows the card as another program has stored it, and asks whether to overwrite it.
  private static func isOverwritten(_ card: CardJSON, _ invocation: Invocation) throws(Failure) -> Bool {
    guard Terminal.isInteractive else { throw conflict }
    invocation.report("another program has changed the card", "这张卡片已被其他程序修改")
    for line in CardPage.lines(card, reveals: false, title: Output(2).bold, invocation.language) {
      invocation.terminal.show(line + "\n")
    }
    return try invocation.terminal.confirm(
      invocation.text(
        "This is the current card. Overwrite it with your changes? [y/N]", "以上是卡片的当前内容。要用您的修改覆盖它吗？[y/N]"))
  }

  /// Asks whether what was typed becomes a new card; without that it would be lost.
  private static func askToKeep(_ card: CardJSON, _ invocation: Invocation, isDeleted: Bool) throws(Failure) {
    if isDeleted { invocation.report("another program has deleted the card", "这张卡片已被其他程序删除") }
    let question =
      card.attachments.isEmpty
      ? invocation.text("Keep your version as a new card? [Y/n]", "要把您的版本另存为新卡片吗？[Y/n]")
      : invocation.text(
        "Keep your version as a new card, without attachments? [Y/n]", "要把您的版本另存为不带附件的新卡片吗？[Y/n]")
    guard try invocation.terminal.confirm(question, defaultAnswer: true) else { throw .exit(.conflict, []) }
  }
}
