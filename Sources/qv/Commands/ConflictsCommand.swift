import VaultInterface
import Wire

/// `qv conflicts`: cards that two machines changed at once (S).
enum ConflictsCommand {
  static let command = Command(
    name: "conflicts", summary: Localized("resolve cards that exist in two versions", "处理有两个版本的卡片"),
    options: [.json, .yes, keep, Option(name: "reveal")] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let conflicts = try ConflictingCards.all(invocation.vault)
    guard !invocation.operands.isEmpty else {
      if invocation.arguments[keep] != nil { throw .usage(Localized("which card?", "请指定卡片")) }
      return try list(conflicts, invocation)
    }
    let conflict = try only(
      conflicts.filter { $0.matches(invocation.words, guesses: invocation.mayGuess) }, invocation)
    guard let side = invocation.arguments[keep] else { return try show(conflict, invocation) }
    try resolve(conflict, keeping: side, invocation)
  }

  private static let keep = Option(name: "keep", value: .words(["card", "copy", "both"]))

  // MARK: Listing

  private static func list(_ conflicts: [ConflictingCards], _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(items: .array(conflicts.map { json($0, \.withoutValues.json) })) { return }
    if try invocation.shows({ TerminalPage(conflicts) }) { return }
    for conflict in conflicts { try invocation.output.line(columns(conflict)) }
  }

  private static func json(_ conflict: ConflictingCards, _ json: (CardJSON) -> JSON) -> JSON {
    ["card": conflict.card.map(json) ?? .null, "copy": json(conflict.copy)]
  }

  private static func columns(_ conflict: ConflictingCards) -> String {
    let (card, copy) = (conflict.card, conflict.copy)
    return [
      card.map { "\($0.id)" } ?? "", "\(copy.id)", conflict.title.oneLine,
      card.map { "\($0.modifiedAt)" } ?? "", "\(copy.modifiedAt)",
    ].joined(separator: "\t")
  }

  private static func line(_ conflict: ConflictingCards, _ invocation: Invocation) -> String {
    conflict.copy.shortID + "  " + conflict.title.oneLine + conflict.copy.kind(invocation.language)
  }

  private static func only(_ found: [ConflictingCards], _ invocation: Invocation) throws(Failure)
    -> ConflictingCards
  {
    let text = invocation.words
    guard let first = found.first else {
      throw .exit(.notFound, Localized("no conflict matches: \(text)", "没有匹配的冲突：\(text)"))
    }
    guard found.count == 1 else {
      invocation.report(
        "\(text) has \(found.count) conflict copies; give the id of one",
        "“\(text)”有 \(found.count) 个冲突副本，请给出编号")
      for conflict in found { invocation.terminal.show("  " + line(conflict, invocation) + "\n") }
      throw .exit(.ambiguous, [])
    }
    return first
  }

  // MARK: Showing

  private static func show(_ conflict: ConflictingCards, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(json(conflict, \.json)) { return }
    let reveals = invocation.arguments.has("reveal")
    var (state, values) = ([String](), [(label: String, lines: [String])]())
    if let card = conflict.card {
      let time = card.modifiedAt.local
      state.append(invocation.text("-  the card, modified \(time)", "-  卡片，修改于 \(time)"))
    } else {
      state.append(
        invocation.text("the card of this conflict copy is gone, or not known", "此冲突副本对应的卡片已不存在，或无法确定"))
    }
    let time = conflict.copy.modifiedAt.local
    state.append(invocation.text("+  the conflict copy, modified \(time)", "+  冲突副本，修改于 \(time)"))
    let mine = conflict.card.map { self.values($0, titled: $0.title, invocation) } ?? []
    let theirs = self.values(conflict.copy, titled: conflict.title, invocation)
    let places =
      mine.map(\.place) + theirs.map(\.place).filter { place in !mine.contains { $0.place == place } }
    for place in places {
      let (one, other) = (mine.first { $0.place == place }, theirs.first { $0.place == place })
      guard one?.text != other?.text else { continue }
      values.append(
        (
          (one ?? other)?.label.oneLine ?? "",
          lines(one, "-  ", reveals, invocation) + lines(other, "+  ", reveals, invocation)
        ))
    }
    try invocation.output.line(invocation.output.bold(conflict.title.oneLine))
    try invocation.printLines(state + values.flatMap { ["", $0.label] + $0.lines })
    try invocation.showNext([.resolve(Localized(verbatim: conflict.copy.shortID))])
  }

  /// A value of a card.
  private struct Value {
    /// Where a card has it. A field may have the label of another.
    enum Place: Hashable {
      case title, group, tags, attachments
      case field(key: String)
      case extraField(label: String)
    }

    let place: Place
    let label: String
    let text: String
    var isConcealed = false
  }

  private static func values(_ card: CardJSON, titled title: String, _ invocation: Invocation) -> [Value] {
    let tags = card.tags.joined(separator: invocation.text(", ", "、"))
    let attachments = card.attachments.map { "\($0.name.oneLine)  \($0.description(invocation.language))" }
    let group = card.group.name[invocation.language]
    let fields = card.shownFields.map { field in
      Value(
        place: field.key.map { .field(key: $0) } ?? .extraField(label: field.label), label: field.label,
        text: field.value, isConcealed: field.isConcealed)
    }
    return [
      Value(place: .title, label: invocation.text("Title", "标题"), text: title),
      Value(place: .group, label: invocation.text("Group", "分组"), text: group),
      Value(place: .tags, label: invocation.text("Tags", "标签"), text: tags),
    ] + fields + [
      Value(
        place: .attachments, label: invocation.text("Attachments", "附件"),
        text: attachments.joined(separator: "\n"))
    ]
  }

  private static func lines(_ value: Value?, _ mark: String, _ reveals: Bool, _ invocation: Invocation)
    -> [String]
  {
    guard let value else { return [] }
    if value.isConcealed, !reveals { return [mark + CardPage.dots(invocation.language)] }
    return value.text.lines.map { mark + $0.printable }
  }

  // MARK: Settling

  private static func resolve(_ conflict: ConflictingCards, keeping side: String, _ invocation: Invocation)
    throws(Failure)
  {
    let title = (conflict.card?.title ?? conflict.title).oneLine
    switch side {
    case "card":
      guard conflict.card != nil else {
        throw .exit(
          .notFound,
          Localized("the card of this conflict copy is gone, or not known", "此冲突副本对应的卡片已不存在，或无法确定"))
      }
      try invocation.confirm(
        Localized("Keep “\(title)” and delete its conflict copy? [y/N]", "要保留“\(title)”并删除其冲突副本吗？[y/N]"))
      try DeleteCommand.delete(conflict.copy, invocation)
    case "copy":
      try invocation.confirm(
        Localized(
          "Keep the conflict copy of “\(title)” and delete the card? [y/N]", "要保留“\(title)”的冲突副本并删除卡片吗？[y/N]")
      )
      try rename(conflict, invocation)
      if let card = conflict.card { try DeleteCommand.delete(card, invocation) }
    case "both": try rename(conflict, invocation)
    default: throw .usage(Localized("--keep takes card, copy or both", "--keep 的值为 card、copy 或 both"))
    }
  }

  private static func rename(_ conflict: ConflictingCards, _ invocation: Invocation) throws(Failure) {
    let copy = conflict.copy
    let change = CardChange(title: conflict.title)
    try invocation.vault.ask(
      CardUpdate(id: copy.id, revision: copy.revision, change: change), announces: true)
  }
}

extension CardJSON {
  /// The card as a list has it.
  fileprivate var withoutValues: CardJSON {
    var card = self
    (card.fields, card.extraFields) = (nil, nil)
    return card
  }
}
