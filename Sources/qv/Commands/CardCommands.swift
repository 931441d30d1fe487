import Glibc
import VaultInterface
import Wire

enum DeleteCommand {
  static let command = Command(
    name: "delete", aliases: ["rm", "remove"], summary: Localized("delete a card", "删除卡片"),
    options: [.yes] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let card = try CardReference.resolve(invocation.words, for: .changingVisibly, invocation)
    let title = card.title.oneLine
    try invocation.confirm(Localized("Delete “\(title)”? [y/N]", "要删除“\(title)”吗？[y/N]"))
    try delete(card.value, invocation)
    if !invocation.output.isTerminal { try invocation.output.line("\(card.id)") }
  }

  static func delete(_ card: CardJSON, _ invocation: Invocation) throws(Failure) {
    try invocation.vault.ask(CardDelete(id: card.id, revision: card.revision), announces: true)
    invocation.mention("qv restore \(card.id) brings it back", "可用 qv restore \(card.id) 恢复")
  }
}

enum RestoreCommand {
  static let command = Command(
    name: "restore", aliases: ["undelete"], summary: Localized("restore a deleted card", "恢复已删除的卡片"),
    options: Option.password
  ) { invocation throws(Failure) in
    let name = invocation.words
    guard !name.isEmpty else {
      throw .usage(Localized("which card? Give its title or its ID", "请给出卡片的标题或编号"))
    }
    try invocation.vault.ask(CardRestore(card: .name(name)), announces: true)
  }
}

enum PinCommand {
  static let pin = make("pin", true, Localized("pin a card", "置顶卡片"))
  static let unpin = make("unpin", false, Localized("unpin a card", "取消置顶卡片"))

  private static func make(_ name: String, _ isPinned: Bool, _ summary: Localized) -> Command {
    Command(
      name: name, summary: summary, options: Option.password, operands: [.titles]
    ) { invocation throws(Failure) in
      let id = try CardReference.resolve(invocation.words, for: .changing, invocation).id
      try invocation.vault.ask(CardSetPinned(id: id, isPinned: isPinned), announces: true)
    }
  }
}

enum TagsCommand {
  static let command = Command(
    name: "tags", summary: Localized("list tags", "列出标签"),
    options: [.json] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let answer = try invocation.vault.ask(TagList())
    if try invocation.showsJSON(items: answer.json["tags"]) { return }
    for tag in answer.tags { try invocation.output.line("\(tag.count)\t\(tag.tag.oneLine)") }
    if let leftOut = answer.leftOut {
      try invocation.output.line(
        invocation.text("  and \(leftOut) more that are not listed", "  另有 \(leftOut) 个未列出"))
    }
  }
}

enum DemoCommand {
  static let command = Command(
    name: "demo", summary: Localized("try QuickVault with sample cards", "用示例卡片试用随取")
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    guard Terminal.isInteractive else {
      throw .usage(Localized("the demo needs a terminal", "演示需要在终端中使用"))
    }
    // The service of this path has a demo vault in place of the file, which is never made.
    let directory = try PrivateDirectory(
      in: Environment.nonEmptyValue("TMPDIR") ?? "/tmp", "quickvault-demo")
    defer { directory.remove() }
    unsafe setenv("QUICKVAULT_VAULT", "\(directory.path)/demo.quickvault", 1)
    if SearchPath.find("qv") == nil, let own = Executables.ownPath?.directoryName {
      unsafe setenv("PATH", "\(own):\(Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")", 1)
    }
    let vault = invocation.vault
    _ = try vault.send(VaultCreate(password: nil, keyDerivation: nil, isDemo: true)).getOrFail()
    var isDeleted = false
    defer { if !isDeleted { try? end(vault) } }
    try ListCommand.command.run(invocation)
    try invocation.output.flush()
    invocation.report(
      "these are sample cards; try qv show, qv copy or qv new, and leave with exit",
      "这些是示例卡片：可试用 qv show、qv copy、qv new，用 exit 退出")
    let shell = Environment.nonEmptyValue("SHELL").flatMap(SearchPath.find) ?? "/bin/sh"
    _ = try ChildProcess.start(shell, [shell])?.wait()
    try end(vault)
    isDeleted = true
    invocation.report("the sample cards were deleted", "示例卡片已删除")
  }

  private static func end(_ vault: Vault) throws(Failure) {
    let status = try vault.status()
    guard let password = status.demo?.password else { return }
    _ = try vault.send(VaultDelete(password: password, confirmation: status.path.fileName)).getOrFail()
  }
}
