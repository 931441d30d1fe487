import VaultInterface
import Wire

enum VerifyCommand {
  static let command = Command(
    name: "verify", summary: Localized("check the whole vault", "检查整个保险库"),
    help: Localized(
      """
      qv verify [--json]

      Checks every record and the complete vault. If it is damaged, says what is damaged and what qv repair
      would do, and exits with 12.
      """,
      """
      qv verify [--json]

      检查每条记录和整个保险库。如有损坏，说明损坏之处以及 qv repair 会如何处理，退出状态为 12。
      """),
    options: [.json] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let report = try invocation.vault.ask(
      VaultVerify(progressToken: .qv), progress: Localized("Checking the vault...", "正在检查保险库…"))
    if try !invocation.showsJSON(report), try !invocation.shows({ TerminalPage(report.value) }) {
      try print(report.value, invocation)
    }
    if report.integrity == .damaged { throw .exit(.vault, []) }
  }

  private static func print(_ report: VaultVerify.Response, _ invocation: Invocation) throws(Failure) {
    let (cards, attachments) = (report.cards, report.attachments)
    let state =
      switch report.integrity {
      case .intact: Localized("intact", "完好")
      case .older: Localized("intact, an older copy", "完好，但为旧副本")
      case .damaged: Localized("DAMAGED", "已损坏")
      }
    try invocation.output.line(
      invocation.text(
        "cards \(cards), attachments \(attachments): \(state.english)",
        "卡片 \(cards) 张，附件 \(attachments) 个：\(state.simplifiedChinese)"))
    for finding in report.findings { try invocation.output.line(finding.meaning[invocation.language]) }
    for id in report.damaged {
      try invocation.output.line(invocation.text("unreadable: \(id)", "无法读取：\(id)"))
    }
  }
}

extension Finding {
  /// What this kind of damage is, and what a repair does about it.
  var meaning: Localized {
    switch self {
    case .records:
      Localized(
        "records were changed, removed, added or put back, or cannot be decrypted; a repair keeps the readable ones",
        "有记录被更改、删除、添加或换回旧版，或无法解密；修复会保留可读取的记录")
    case .structure:
      Localized("the structure of the file is damaged; a repair writes a new file", "文件的结构已损坏；修复会写入一个新文件")
    case .keySlots:
      Localized(
        "the key slots are not those that QuickVault wrote, perhaps because somebody put back an earlier password; "
          + "a repair keeps only that of your password; then change the password",
        "密钥槽与随取写入的不符，可能有人换回了以前的密码；修复时只保留您当前密码的密钥槽，修复后请更改密码")
    case .plainSettings:
      Localized(
        "the settings that are not encrypted were changed; a repair writes them again",
        "未加密的设置被更改；修复会重新写入这些设置")
    case .attempts:
      Localized("the count of wrong passwords was removed; a repair writes it again", "密码错误次数的记录被删除；修复会重新写入")
    }
  }
}
