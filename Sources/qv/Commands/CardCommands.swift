import Glibc
import VaultInterface
import Wire

enum DeleteCommand {
  static let command = Command(
    name: "delete", aliases: ["rm", "remove"], summary: Localized("delete a card", "删除卡片"),
    help: Localized(
      """
      qv delete CARD [--yes]

      Deletes a card. Asks first unless you use --yes. In a pipe, prints its id. Until the vault locks, qv restore ID
      brings it back; for longer with the setting keepDeletedDays (see qv trash).
      """,
      """
      qv delete 卡片 [--yes]

      删除卡片。除非使用 --yes，否则先询问。输出到管道时输出编号。保险库锁定之前，可用“qv restore 编号”恢复；
      设置 keepDeletedDays 后可在更长时间内恢复（见 qv trash）。
      """),
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
    help: Localized(
      """
      qv restore CARD

      Restores a card that is in the trash or was deleted since the vault was unlocked, with its attachments. CARD is its title,
      its id as qv delete prints it, or the beginning of that (at least 4 digits); of several cards, the one
      that was deleted last.
      """,
      """
      qv restore 卡片

      恢复回收站中的、或本次解锁以来删除的卡片及其附件。卡片用标题、qv delete 显示的编号或编号的开头（至少 4 位）指定；
      有多张时恢复最后删除的一张。
      """),
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
  static let pin = make(
    "pin", true, Localized("pin a card", "置顶卡片"),
    Localized("Pins a card to the top of every list.", "把卡片置顶，使其排在每个列表的最前面。"))
  static let unpin = make(
    "unpin", false, Localized("unpin a card", "取消置顶卡片"), Localized("Unpins a card.", "取消置顶卡片。"))

  private static func make(_ name: String, _ isPinned: Bool, _ summary: Localized, _ text: Localized)
    -> Command
  {
    Command(
      name: name, summary: summary,
      help: Localized("qv \(name) CARD\n\n\(text.english)", "qv \(name) 卡片\n\n\(text.simplifiedChinese)"),
      options: Option.password, operands: [.titles]
    ) { invocation throws(Failure) in
      let id = try CardReference.resolve(invocation.words, for: .changing, invocation).id
      try invocation.vault.ask(CardSetPinned(id: id, isPinned: isPinned), announces: true)
    }
  }
}

enum TagsCommand {
  static let command = Command(
    name: "tags", summary: Localized("list tags", "列出标签"),
    help: Localized(
      "qv tags [--json]\n\nLists the tags and how many cards have each.", "qv tags [--json]\n\n列出标签及各自的卡片数。"),
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
    name: "demo", summary: Localized("try QuickVault with sample cards", "用示例卡片试用随取"),
    help: Localized(
      """
      qv demo

      Starts a shell in which qv has a temporary vault with sample cards. Your own vault is not touched. Leave
      the shell to delete the sample cards. The demo password is "demo demo".
      """,
      """
      qv demo

      启动一个 shell，其中 qv 使用带示例卡片的临时保险库；您自己的保险库不受影响。退出该 shell 即删除示例卡片。
      演示的密码是“demo demo”。
      """)
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
