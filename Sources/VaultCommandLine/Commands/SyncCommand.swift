import JSON
import VaultModel
import VaultProtocol

/// `qv sync`: one vault on several machines (S).
enum SyncCommand {
  static let command = Command(
    name: "sync", summary: Localized("share the vault with other machines", "在多台电脑上使用同一保险库"),
    help: Localized(
      """
      qv sync [status] [--json]
      qv sync enable FOLDER [--machine NAME]
      qv sync join FOLDER [--machine NAME] [--password-fd N]
      qv sync now|disable
      qv sync forget MACHINE
      qv sync rejoin [--password-fd N]

      Shows how the vault is synchronised: the folder, this machine, and for each other machine when changes
      last arrived and what is missing. In a pipe, prints columns separated by tabs.

      enable publishes the vault, encrypted, in a folder that Syncthing, Nextcloud, git or you carry between
      your machines. join creates the vault of another machine here from that folder; there must be no vault
      here yet. From then on, changes are exchanged automatically while the vault is unlocked; now
      synchronises at once, mirrors the folder to the server if you are signed in (qv help account), and
      exits with 12 if there is a problem, or if the server takes longer than half a minute. disable turns
      synchronisation off. forget removes a machine that you no longer use, by its name or id. After qv rekey
      on another machine, rejoin switches to its key and the new password. With --password-fd, the first line
      is the password of this vault, and the second the new one.
      """,
      """
      qv sync [status] [--json]
      qv sync enable 文件夹 [--machine 名称]
      qv sync join 文件夹 [--machine 名称] [--password-fd N]
      qv sync now|disable
      qv sync forget 电脑
      qv sync rejoin [--password-fd N]

      显示同步状态：文件夹、本机，以及其他电脑（最近一次收到其更改的时间和缺少的内容）。
      输出到管道时，各列以制表符分隔。

      enable 把保险库加密后发布到一个文件夹，由 Syncthing、Nextcloud、git 或您自己在电脑之间传送。
      join 用该文件夹在本机建立另一台电脑的保险库；本机上必须还没有保险库。
      此后，解锁期间会自动交换更改；now 立即同步一次，如已登录（见 qv help account），还会与服务器交换文件夹，
      有问题或服务器超过半分钟未完成时，退出状态为 12。disable 关闭同步。
      forget 按名称或标识移除不再使用的电脑。在另一台电脑上执行 qv rekey 后，用 rejoin 和新密码继续同步；
      使用 --password-fd 时，第一行为本保险库的密码，第二行为新密码。
      """),
    options: [.json, Option(name: "machine", value: .nothing)] + Option.password,
    operands: [.words(["status", "enable", "join", "now", "disable", "forget", "rejoin"]), .files]
  ) { invocation throws(Failure) in
    let vault = invocation.vault
    switch invocation.operands.first ?? "status" {
    case "status":
      try invocation.arguments.allow(1)
      try show(vault.request(SyncStatusRequest.method), invocation)
    case "enable":
      let parameters = try folder(invocation) + progress
      let status = try vault.withProgress(synchronizing) { () throws(Failure) in
        try vault.request(SyncEnable.method, .object(parameters))
      }
      try show(status, invocation)
    case "join": try join(invocation)
    case "now":
      try invocation.arguments.allow(1)
      let status = try vault.withProgress(synchronizing) { () throws(Failure) in
        try vault.request(SyncNow.method, .object(progress + [.init("waitsForServer", true)]))
      }
      try show(status, invocation)
      try requireMirrored(status)
    case "disable":
      try invocation.arguments.allow(1)
      try show(vault.request(SyncDisable.method), invocation)
    case "forget": try forget(invocation)
    case "rejoin":
      try invocation.arguments.allow(1)
      try vault.ensureOpen()
      let status = try vault.requestWithPassword(
        SyncRejoin.method, Prompt.ofOtherMachine, progress, isOther: true)
      try show(status, invocation)
    case let action:
      throw .usage(Localized("qv sync has no \(action)", "qv sync 没有 \(action)"))
    }
  }

  private static let synchronizing = Localized("Synchronising...", "正在同步…")
  private static let progress = [JSON.Member("progressToken", "qv")]

  /// The parameters `folder` and `machine`.
  private static func folder(_ invocation: Invocation) throws(Failure) -> [JSON.Member] {
    guard let path = invocation.operands.dropFirst().first else {
      throw .usage(Localized("which folder?", "请指定文件夹"))
    }
    try invocation.arguments.allow(2)
    var parameters = [JSON.Member("folder", .string(Environment.absolutePath(path)))]
    if let name = invocation.arguments["machine"] { parameters.append(.init("machine", .string(name))) }
    return parameters
  }

  private static func join(_ invocation: Invocation) throws(Failure) {
    let (vault, parameters) = (invocation.vault, try folder(invocation) + progress)
    let status = try vault.status()
    let path = status["path"]?.string ?? ""
    guard status["exists"] == false else {
      throw .exit(.vault, Localized("there is already a vault: \(path)", "已有保险库：\(path)"))
    }
    let answer = try vault.withPassword(Prompt.ofOtherMachine) { members throws(Failure) in
      try vault.send(SyncJoin.method, .object(parameters + members))
    }.answer
    try show(answer, invocation)
  }

  private static func forget(_ invocation: Invocation) throws(Failure) {
    guard let name = invocation.operands.dropFirst().first else {
      throw .usage(Localized("which machine? Give its name or identifier", "请指定电脑：给出名称或标识"))
    }
    try invocation.arguments.allow(2)
    let status = try invocation.vault.request(SyncStatusRequest.method)
    // The service says why this machine cannot be forgotten.
    let machines = (status["replicas"]?.elements ?? []) + [status]
    let found = machines.filter { $0["machine"]?.string == name || $0["replica"]?.string == name }
    guard let machine = found.first?["replica"]?.string else {
      throw .exit(.notFound, Localized("there is no machine \(name)", "没有电脑 \(name)"))
    }
    guard found.count == 1 else {
      let identifiers = found.compactMap { $0["replica"]?.string }
      throw .exit(
        .ambiguous,
        [Localized("several machines are called \(name); give the identifier:", "有多台电脑名为 \(name)，请给出标识：")]
          + identifiers.map { Localized(verbatim: $0) })
    }
    try show(
      invocation.vault.request(SyncForget.method, ["replica": .string(machine)]), invocation)
  }

  /// Fails unless everything was synchronised, here and with the server.
  private static func requireMirrored(_ status: JSON) throws(Failure) {
    let mirror = status["mirror"]
    if hasProblem(status) || mirror?["failure"] != nil { throw .exit(.vault, []) }
    guard mirror?["percentage"] != nil else { return }
    throw .exit(
      .vault,
      Localized("still mirroring; not everything is on the server yet", "仍在传送，服务器上的内容尚不完整"))
  }

  /// Whether somebody has to do something about a state of synchronisation.
  static func hasProblem(_ status: JSON) -> Bool {
    status["failure"] != nil || status["needsPassword"] == true
      || (status["replicas"]?.elements ?? []).contains { $0["problem"] != nil }
  }

  // MARK: Showing

  private static func show(_ status: JSON, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(status) { return }
    let output = invocation.output
    guard status["enabled"] == true else {
      return try output.line(
        invocation.text(
          "not synchronised; qv sync enable FOLDER turns it on", "未开启同步：可用“qv sync enable 文件夹”开启"))
    }
    let folder = (status["folder"]?.string ?? "").printable
    try output.line(invocation.text("folder: \(folder)", "文件夹：\(folder)"))
    let name = (status["machine"]?.string ?? "").oneLine
    try output.line(invocation.text("this machine: \(name)", "本机：\(name)"))
    if status["needsPassword"] == true {
      try output.line(
        invocation.text(
          "another machine has given the vault a new key; run qv sync rejoin with the new password",
          "另一台电脑已更换密钥：请用 qv sync rejoin 和新密码继续同步"))
    }
    try invocation.showFailure(of: status)
    if let mirror = status["mirror"] { try invocation.showMirrorStatus(mirror) }
    for machine in status["replicas"]?.elements ?? [] { try output.line(line(machine, invocation)) }
  }

  /// Name, identifier, last seen, missing segments, problem.
  private static func line(_ machine: JSON, _ invocation: Invocation) -> String {
    let behind = machine["behind"]?.integer ?? 0
    let seen = (machine["lastSeen"]?.string).map { LocalTime.text($0) }
    var columns = [
      (machine["machine"]?.string ?? "").oneLine, machine["replica"]?.string ?? "",
      seen ?? invocation.text("nothing received yet", "尚未收到"),
      behind == 0
        ? invocation.text("up to date", "已同步") : invocation.text("\(behind) missing", "缺少 \(behind) 项"),
    ]
    if let problem = machine["problem"]?["message"]?.string { columns.append(problem.oneLine) }
    return columns.joined(separator: "\t")
  }
}
