import JSON
import VaultModel
import VaultProtocol

enum LogCommand {
  static let command = Command(
    name: "log", summary: Localized("show recent unlocks and locks", "显示最近的解锁与锁定"),
    help: Localized(
      "qv log [--limit N] [--json]\n\nShows recent unlocks, locks and wrong passwords, newest first.",
      "qv log [--limit N] [--json]\n\n显示最近的解锁、锁定和密码错误，最新的在前。"),
    options: [.json, .limit] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let limit = invocation.arguments.number(.limit) ?? 50
    guard limit <= 1000 else {
      throw .usage(Localized("--limit can be at most 1000", "--limit 最大为 1000"))
    }
    let items = try invocation.vault.request(LogList.method, ["limit": .integer(limit)])["items"] ?? []
    if try invocation.showsJSON(items: items.elements) { return }
    for item in items.elements {
      let event = item["event"]?.string ?? ""
      var line = (names[event] ?? Localized(verbatim: event))[invocation.language]
      if let reason = item["reason"]?.string {
        let text = (reasons[reason] ?? Localized(verbatim: reason))[invocation.language]
        line += Localized(" (\(text))", "（\(text)）")[invocation.language]
      }
      try invocation.output.line("\(LocalTime.text(item["at"]?.string ?? ""))  \(line.oneLine)")
    }
  }

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
    help: Localized(
      """
      qv clients [--json]
      qv clients revoke NUMBER

      Lists the programs that are connected to the vault: number, program, process, terminal, and whether it
      may use the unlocked vault. revoke ends a program's access until it is admitted again.
      """,
      """
      qv clients [--json]
      qv clients revoke 编号

      列出已连接保险库的程序：编号、程序、进程、终端，以及能否使用已解锁的保险库。
      revoke 终止其访问，直到它再次获准。
      """),
    options: [.json] + Option.password, operands: [.words(["revoke"]), .nothing]
  ) { invocation throws(Failure) in
    if invocation.operands.first == "revoke" {
      try invocation.arguments.allow(2)
      guard let number = invocation.operands.dropFirst().first.flatMap({ Int($0) }) else {
        throw .usage(Localized("which program? Give its number", "请指定程序：给出编号"))
      }
      try invocation.vault.request(ClientRevoke.method, ["id": .integer(number)])
      return
    }
    try invocation.arguments.allow(0)
    let items = try invocation.vault.request(ClientList.method)["items"] ?? []
    if try invocation.showsJSON(items: items.elements) { return }
    for item in items.elements {
      let program = item["program"] ?? [:]
      let state =
        item["own"] == true
        ? Localized("this program", "本程序")
        : item["admitted"] == true ? Localized("admitted", "已获准") : Localized("not admitted", "未获准")
      try invocation.output.line(
        [
          String(item["id"]?.integer ?? 0), (program["name"]?.string ?? "").oneLine,
          String(program["process"]?.integer ?? 0), program["terminal"]?.string ?? "-",
          state[invocation.language],
        ].joined(separator: "\t"))
    }
  }
}

enum DoctorCommand {
  static let command = Command(
    name: "doctor", summary: Localized("check what works here", "检查运行环境"),
    help: Localized(
      """
      qv doctor [--json | --report]

      Runs quickvault doctor, which shows what works here, what is missing, and how to fix it. --report adds
      the last errors, for a bug report. Nothing is sent; review the report before you send it.
      """,
      """
      qv doctor [--json | --report]

      运行 quickvault doctor，检查运行环境：哪些功能可用、缺少什么、如何解决。加 --report 则附上最近的错误，
      用于提交问题报告。不会自动发送任何内容，发送前请先查看。
      """),
    options: [.json, Option(name: "report")]
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    try arguments.allow(0)
    guard let program = SearchPath.quickvault else { throw Transport.programMissing }
    var words = ["quickvault", "doctor"]
    if arguments.has(.json) { words.append("--json") }
    if arguments.has("report") { words.append("--report") }
    if let vault = arguments[.vault] { words += ["--vault", vault] }
    let status = try ChildProcess.start(program, words)?.wait() ?? 127
    if status != 0 { throw .exit(ExitStatus(rawValue: status) ?? .failure, []) }
  }
}

enum PrivacyCommand {
  static let command = Command(
    name: "privacy", summary: Localized("show what leaves this machine", "显示哪些内容会离开本机"),
    help: Localized(
      """
      qv privacy

      Shows what leaves this machine when you turn on synchronisation, and what a server to which the folder
      is mirrored, or the provider that you sign in with, learns and does not learn.
      """,
      """
      qv privacy

      显示启用同步后哪些内容会离开本机，以及传送同步文件夹的服务器和登录服务会知道什么、不会知道什么。
      """),
    options: []
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    guard let program = SearchPath.quickvault else { throw Transport.programMissing }
    let status = try ChildProcess.start(program, ["quickvault", "privacy"])?.wait() ?? 127
    if status != 0 { throw .exit(ExitStatus(rawValue: status) ?? .failure, []) }
  }
}
