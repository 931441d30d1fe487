import VaultInterface
import Wire

enum LogCommand {
  static let command = Command(
    name: "log", summary: Localized("show recent unlocks and locks", "显示最近的解锁与锁定"),
    options: [.json, .limit] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let limit = invocation.arguments.number(.limit) ?? 50
    guard limit <= 1000 else {
      throw .usage(Localized("--limit can be at most 1000", "--limit 最大为 1000"))
    }
    let answer = try invocation.vault.ask(LogList(limit: limit))
    if try invocation.showsJSON(items: answer.json["items"]) { return }
    if try invocation.shows({ TerminalPage(answer.items, limit: limit) }) { return }
    for item in answer.items {
      var line = item.name[invocation.language]
      if let reason = item.shownReason?[invocation.language] {
        line += Localized(" (\(reason))", "（\(reason)）")[invocation.language]
      }
      try invocation.output.line("\(item.time.local)  \(line.oneLine)")
    }
  }
}

extension LogEntry {
  /// What happened.
  var name: Localized { Self.names[event] ?? Localized(verbatim: event) }

  /// Why, or which program it was.
  var shownReason: Localized? { reason.map { Self.reasons[$0] ?? Localized(verbatim: $0) } }

  private static let names = [
    "unlocked": Localized("unlocked", "已解锁"), "wrongPassword": Localized("wrong password", "密码错误"),
    "lockedOut": Localized("too many wrong passwords", "密码错误次数过多"),
    "refused": Localized("attempt during the delay", "等待期间尝试"), "locked": Localized("locked", "已锁定"),
    "passwordChanged": Localized("password changed", "密码已更改"),
    "created": Localized("vault created", "保险库已创建"),
    "repaired": Localized("repaired after damage", "损坏后已修复"),
    "settingsForged": Localized("settings were tampered with", "设置被篡改"),
    "memoryNotLocked": Localized("memory could not be locked", "无法锁定内存"),
    "fingerprintFailed": Localized("fingerprint not recognised", "未能识别指纹"),
    "deviceBound": Localized("device bound", "已绑定设备"),
    "deviceRevoked": Localized("device binding removed", "已解除设备绑定"),
    "inserted": Localized("inserted by an editor", "由编辑器插入"),
    "deviceVoided": Localized("device binding no longer valid", "设备绑定已失效"),
    "clientAdmitted": Localized("program admitted", "已允许程序使用"),
    "agentUsed": Localized("used by an agent", "智能体使用了卡片"),
  ]

  private static let reasons = [
    "request": Localized("on request", "手动"), "timeout": Localized("idle", "闲置超时"),
    "background": Localized("in the background", "转入后台"),
    "deviceLocked": Localized("desktop locked", "桌面已锁定"), "sleep": Localized("before sleep", "睡眠前"),
    "passwordChanged": Localized("password changed elsewhere, or file replaced", "密码已在别处更改，或文件被替换"),
    "shutdown": Localized("program exited", "程序退出"),
  ]
}

enum ClientsCommand {
  static let command = Command(
    name: "clients", summary: Localized("list programs that use the vault", "列出正在使用保险库的程序"),
    options: [.json] + Option.password, operands: [.words(["allow", "revoke"]), .nothing]
  ) { invocation throws(Failure) in
    if invocation.operands.first == "allow" {
      try invocation.arguments.allow(1)
      guard Terminal.isInteractive else {
        throw .usage(Localized("there is no terminal to ask in", "没有可供询问的终端"))
      }
      return try invocation.vault.answerConsent()
    }
    if invocation.operands.first == "revoke" {
      try invocation.arguments.allow(2)
      try invocation.vault.ask(ClientRevoke(id: try number(invocation)))
      return invocation.mention("the program may not use the vault any more", "该程序不能再使用保险库")
    }
    try invocation.arguments.allow(0)
    let answer = try invocation.vault.ask(ClientList())
    if try invocation.showsJSON(items: answer.json["items"]) { return }
    if try invocation.shows({ TerminalPage(answer.items) }) { return }
    for item in answer.items {
      let program = item.program
      let state =
        item.isOwn
        ? Localized("this program", "本程序")
        : item.isAdmitted ? Localized("admitted", "已获准") : Localized("not admitted", "未获准")
      try invocation.output.line(
        [
          String(item.id), program.name.oneLine, String(program.process), program.terminal ?? "-",
          state[invocation.language],
        ].joined(separator: "\t"))
    }
  }

  /// The number of the program whose access is to end.
  fileprivate static func number(_ invocation: Invocation) throws(Failure) -> Int {
    if let number = invocation.operands.dropFirst().first.flatMap({ Int($0) }) { return number }
    let whichProgram = Localized("which program? Give its number", "请指定程序：给出编号")
    guard Terminal.isInteractive, invocation.operands.count == 1 else { throw .usage(whichProgram) }
    let clients = try invocation.vault.ask(ClientList()).items.filter { !$0.isOwn }
    guard
      let chosen = try invocation.chooseAtTerminal(Localized("Which program? ", "哪个程序？"), clients.map(\.text))
    else { throw .usage(whichProgram) }
    return clients[chosen].id
  }
}

enum DoctorCommand {
  static let command = Command(
    name: "doctor", summary: Localized("check what works here", "检查运行环境"),
    options: [.json, Option(name: "report")]
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    try arguments.allow(0)
    let vault = arguments[.vault].map { ["--vault", $0] } ?? []
    if arguments.has(.json) || arguments.has("report") || !invocation.output.isTerminal {
      let options = [Option.json, Option(name: "report")].filter { arguments.has($0) }.map { "--" + $0.name }
      return try QuickVaultProgram.run(["doctor"] + options + vault)
    }
    let (status, text) = try QuickVaultProgram.output(of: ["doctor", "--json"] + vault)
    guard let report = try? JSONReader.read(text), let page = TerminalPage(doctor: report) else {
      return try QuickVaultProgram.run(["doctor"] + vault)
    }
    _ = try invocation.shows { page }
    try QuickVaultProgram.end(with: status)
  }
}

/// The program of the service, for what it prints itself.
private enum QuickVaultProgram {
  /// Runs it, and ends as it does.
  static func run(_ words: [String]) throws(Failure) {
    try end(with: try ChildProcess.start(try file, ["quickvault"] + words)?.wait() ?? 127)
  }

  static func output(of words: [String]) throws(Failure) -> (status: Int32, text: [UInt8]) {
    let result = try ChildProcess.run(try file, ["quickvault"] + words, showsErrors: true)
    return result.map { ($0.status, $0.output) } ?? (127, [])
  }

  static func end(with status: Int32) throws(Failure) {
    if status != 0 { throw .exit(ExitStatus(rawValue: status) ?? .failure, []) }
  }

  private static var file: String {
    get throws(Failure) {
      guard let program = SearchPath.quickvault else { throw Transport.programMissing }
      return program
    }
  }
}

enum PrivacyCommand {
  static let command = Command(
    name: "privacy", summary: Localized("show what leaves this machine", "显示哪些内容会离开本机"),
    options: []
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    guard invocation.output.isTerminal else { return try QuickVaultProgram.run(["privacy"]) }
    let (status, text) = try QuickVaultProgram.output(of: ["privacy"])
    _ = try invocation.shows { TerminalPage(text: String(decoding: text, as: UTF8.self)) }
    try QuickVaultProgram.end(with: status)
  }
}

enum VerifyCommand {
  static let command = Command(
    name: "verify", summary: Localized("check the whole vault", "检查整个保险库"),
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
