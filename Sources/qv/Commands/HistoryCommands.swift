import VaultInterface
import Wire

enum HistoryCommand {
  static let command = Command(
    name: "history", aliases: ["versions"],
    summary: Localized("show earlier versions of a card", "显示卡片的历史版本"),
    options: [.json, Option(name: "reveal"), .search] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let (card, version) = try VersionReference.resolve(for: .reading, invocation)
    if let version {
      let shown = try invocation.vault.ask(CardVersionGet(id: card.id, version: version))
      if try invocation.showsJSON(shown) { return }
      let reveals = invocation.arguments.has("reveal")
      for line in CardPage.lines(
        shown.card, reveals: reveals, title: invocation.output.bold, invocation.language)
      {
        try invocation.output.line(line)
      }
      return
    }
    let answer = try invocation.vault.ask(CardHistoryList(id: card.id))
    if try invocation.showsJSON(answer) { return }
    guard !answer.versions.isEmpty else {
      return invocation.mention("no earlier versions", "没有历史版本")
    }
    var next = try invocation.vault.card(card.id).value
    for version in answer.versions {
      let changed = version.card.differences(from: next, invocation.language).joined(
        separator: invocation.text(", ", "、"))
      try invocation.output.line("\(version.version)  \(version.modifiedAt.local)  \(changed)")
      next = version.card
    }
    let name = card.title.oneLine
    invocation.mention(
      "qv history “\(name)” VERSION shows one, qv revert “\(name)” VERSION brings it back",
      "用“qv history \(name) 版本”查看，用“qv revert \(name) 版本”恢复")
  }
}

enum RevertCommand {
  static let command = Command(
    name: "revert", aliases: ["undo"], summary: Localized("take back an edit of a card", "撤销对卡片的修改"),
    options: Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let (card, version) = try VersionReference.resolve(for: .changing, invocation)
    try invocation.vault.ask(
      CardRevert(id: card.id, version: version, revision: card.revision), announces: true)
  }
}

/// The card and the version that words on the command line name: a last word of eight hexadecimal digits is a version.
private enum VersionReference {
  static func resolve(
    for use: CardReference.Use, _ invocation: Invocation
  ) throws(Failure) -> (card: CardJSON, version: String?) {
    var words = invocation.operands
    var version: String?
    if words.count > 1, let last = words.last?.lowercased(), last.utf8.count == 8,
      UInt32(last, radix: 16) != nil
    {
      version = last
      words.removeLast()
    }
    let name = words.joined(separator: " ")
    return (try CardReference.resolve(name, for: use, invocation).value, version)
  }
}

extension CardJSON {
  /// The names of the parts that differ from another version of the card.
  fileprivate func differences(from other: CardJSON, _ language: Language) -> [String] {
    let parts = [
      (CardTemplate.titleLabel, title != other.title), (CardTemplate.groupLabel, group != other.group),
      (CardTemplate.typeLabel, type != other.type), (CardTemplate.tagsLabel, tags != other.tags),
    ]
    var names = parts.filter(\.1).map { $0.0[language] }
    let (mine, others) = (values, other.values)
    for name in Set(mine.keys).union(others.keys).sorted() where mine[name] != others[name] {
      names.append(name)
    }
    return names
  }

  /// The values by their labels; concealed ones are the same wherever they are masked.
  private var values: [String: String] {
    var values = Dictionary((fields ?? []).map { ($0.label.oneLine, $0.value) }) { first, _ in first }
    for field in extraFields ?? [] {
      values[field.label.oneLine] = field.concealed ? FormText.mask : field.value
    }
    return values
  }
}

enum TrashCommand {
  static let list = Command(
    name: "trash", summary: Localized("list deleted cards", "列出已删除的卡片"),
    options: [.json] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let answer = try invocation.vault.ask(CardTrash())
    if try invocation.showsJSON(answer) { return }
    for card in answer.items {
      try invocation.output.line("\(card.id)  \(card.modifiedAt.local)  \(card.title.oneLine)")
    }
    if answer.items.isEmpty { return invocation.mention("the trash is empty", "回收站是空的") }
    let (size, limit) = (answer.attachmentBytes >> 20, answer.attachmentLimit >> 20)
    invocation.mention(
      "attachments: \(size) of \(limit) MiB; beyond that, the oldest cards go",
      "附件：\(size) / \(limit) MiB；超出时最早删除的卡片先被清除")
  }

  static let empty = Command(
    name: "empty-trash", aliases: ["purge"],
    summary: Localized("delete cards in the trash for good", "清空回收站"),
    options: [.yes] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(1)
    var id: Identifier?
    if let word = invocation.operands.first {
      guard let named = Identifier(word) else {
        throw .usage(Localized("\(word) is no ID; see qv trash", "“\(word)”不是编号，请参见 qv trash"))
      }
      id = named
    }
    try invocation.confirm(
      id == nil
        ? Localized("Delete all cards in the trash for good? [y/N]", "要永久删除回收站中的全部卡片吗？[y/N]")
        : Localized("Delete this card for good? [y/N]", "要永久删除这张卡片吗？[y/N]"))
    let count = try invocation.vault.ask(CardPurge(id: id)).purged
    invocation.mention("deleted for good: \(count)", "已永久删除：\(count)")
  }
}
