import VaultInterface
import Wire

/// `qv sync`: one vault on several machines (S).
enum SyncCommand {
  static let command = Command(
    name: "sync", summary: Localized("share the vault with other machines", "在多台电脑上使用同一保险库"),
    options: [.json, .yes, Option(name: "machine", value: .nothing)] + Option.password,
    operands: [.words(["status", "enable", "join", "now", "disable", "forget", "rejoin"]), .files]
  ) { invocation throws(Failure) in
    let vault = invocation.vault
    switch invocation.operands.first ?? "status" {
    case "status":
      try invocation.arguments.allow(1)
      try show(vault.ask(SyncStatusRequest()), invocation)
    case "enable":
      let request = SyncEnable(
        folder: try folder(invocation, Localized("Folder to synchronise over: ", "用于同步的文件夹：")),
        machine: invocation.arguments["machine"], progressToken: .qv)
      try show(vault.ask(request, progress: synchronizing), invocation)
    case "join": try join(invocation)
    case "now":
      try invocation.arguments.allow(1)
      let status = try vault.ask(
        SyncNow(waitsForServer: true, progressToken: .qv), progress: synchronizing)
      try show(status, invocation)
      try requireMirrored(status.details)
    case "disable":
      try invocation.arguments.allow(1)
      try invocation.confirmAtTerminal(
        Localized(
          "Stop synchronising this vault? Its cards and the folder stay. [y/N]", "要关闭同步吗？卡片和文件夹保持不变。[y/N]"))
      try show(vault.ask(SyncDisable()), invocation)
    case "forget": try forget(invocation)
    case "rejoin":
      try invocation.arguments.allow(1)
      guard try vault.ask(SyncNow(waitsForServer: false)).details?.needsPassword == true else {
        throw .exit(
          .failure,
          Localized("no other machine has given the vault a new key", "其他电脑没有更换密钥"))
      }
      let status = try vault.withProgress(synchronizing) { () throws(Failure) in
        try vault.askWithPassword(Prompt.ofOtherMachine, isOther: true) {
          SyncRejoin(password: $0, progressToken: .qv)
        }
      }
      try show(status, invocation)
    case let action:
      throw .usage(Localized("qv sync has no \(action)", "qv sync 没有 \(action)"))
    }
  }

  private static let synchronizing = Localized("Synchronising...", "正在同步…")

  private static func folder(_ invocation: Invocation, _ prompt: Localized) throws(Failure) -> String {
    try invocation.arguments.allow(2)
    if let path = invocation.operands.dropFirst().first { return Environment.absolutePath(path) }
    guard Terminal.isInteractive else { throw .usage(Localized("which folder?", "请指定文件夹")) }
    return Environment.absolutePath(try invocation.answerPath(prompt))
  }

  private static func join(_ invocation: Invocation) throws(Failure) {
    let vault = invocation.vault
    try vault.requireNone()
    let folder = try folder(
      invocation, Localized("Folder that another machine synchronises over: ", "另一台电脑用于同步的文件夹："))
    let answer = try vault.withProgress(synchronizing) { () throws(Failure) in
      try vault.withPassword(Prompt.ofOtherMachine) { password throws(Failure) in
        try vault.send(password) {
          SyncJoin(
            folder: folder, password: $0, machine: invocation.arguments["machine"], progressToken: .qv)
        }
      }.answer
    }
    try show(answer, invocation)
    guard answer.details?.replicas.contains(where: { $0.problem != nil }) == true else { return }
    throw .exit(
      .vault,
      Localized(
        "not everything of the vault is here yet; while it is unlocked, the rest is added when it arrives",
        "保险库的内容尚未全部到达；解锁期间，其余内容到达后会自动加入"))
  }

  private static func forget(_ invocation: Invocation) throws(Failure) {
    try invocation.arguments.allow(2)
    var name = invocation.operands.dropFirst().first
    let whichMachine = Localized("which machine? Give its name or identifier", "请指定电脑：给出名称或标识")
    guard name != nil || Terminal.isInteractive else { throw .usage(whichMachine) }
    let status = try invocation.vault.ask(SyncStatusRequest()).details
    if name == nil, let others = status?.replicas {
      let chosen = try invocation.chooseAtTerminal(
        Localized("Which machine? ", "哪台电脑？"), others.map { "\($0.name)  \($0.text)" })
      name = chosen.map { "\(others[$0].replica)" }
    }
    guard let name else { throw .usage(whichMachine) }
    // The service says why this machine cannot be forgotten.
    let machines =
      (status?.replicas ?? []).map { (name: $0.machine, replica: $0.replica) }
      + [status].compactMap { $0.map { ($0.machine, $0.replica) } }
    let found = machines.filter { $0.name == name || "\($0.replica)" == name }.map(\.replica)
    guard let replica = found.first else {
      throw .exit(.notFound, Localized("there is no machine \(name)", "没有电脑 \(name)"))
    }
    guard found.count == 1 else {
      throw .exit(
        .ambiguous,
        [Localized("several machines are called \(name); give the identifier:", "有多台电脑名为 \(name)，请给出标识：")]
          + found.map { Localized(verbatim: "\($0)") })
    }
    let shown = (machines.first { $0.replica == replica }?.name ?? name).oneLine
    try invocation.confirmAtTerminal(
      Localized(
        "Forget \(shown)? It keeps its copy; only qv rekey shuts it out. [y/N]",
        "要移除 \(shown) 吗？它会保留已有的副本；要阻止它继续使用，请运行 qv rekey。[y/N]"))
    try show(invocation.vault.ask(SyncForget(replica: replica)), invocation)
  }

  /// Fails unless everything was synchronised, here and with the server.
  private static func requireMirrored(_ status: SyncResponse.Details?) throws(Failure) {
    let mirror = status?.mirror
    if status?.needsAttention != nil || mirror?.failure != nil { throw .exit(.vault, []) }
    guard mirror?.percentage != nil else { return }
    throw .exit(
      .vault,
      Localized("still mirroring; not everything is on the server yet", "仍在传送，服务器上的内容尚不完整"))
  }

  // MARK: Showing

  private static func show(_ answer: Answer<SyncResponse>, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(answer) { return }
    if try invocation.shows({ TerminalPage(answer.details) }) { return }
    let output = invocation.output
    guard let status = answer.details else {
      return try output.line(
        invocation.text(
          "not synchronised; qv sync enable FOLDER turns it on", "未开启同步：可用“qv sync enable 文件夹”开启"))
    }
    let (folder, name) = (status.folder.printable, status.machine.oneLine)
    try output.line(invocation.text("folder: \(folder)", "文件夹：\(folder)"))
    try output.line(invocation.text("this machine: \(name)", "本机：\(name)"))
    if status.needsPassword == true {
      try output.line(
        invocation.text(
          "another machine has given the vault a new key; run qv sync rejoin with the new password",
          "另一台电脑已更换密钥：请用 qv sync rejoin 和新密码继续同步"))
    }
    try invocation.show(status.failure)
    if let mirror = status.mirror { try invocation.show(mirror) }
    for machine in status.replicas { try output.line(line(machine, invocation)) }
  }

  /// Name, identifier, last seen, missing segments, problem.
  private static func line(_ machine: SyncResponse.Machine, _ invocation: Invocation) -> String {
    let behind = machine.behind
    let columns = [
      machine.machine.oneLine, "\(machine.replica)",
      machine.lastSeen?.local ?? invocation.text("nothing received yet", "尚未收到"),
      behind == 0
        ? machine.problem == nil
          ? invocation.text("up to date", "已同步") : invocation.text("incomplete", "不完整")
        : invocation.text("\(behind) missing", "缺少 \(behind) 项"),
      machine.problem?.message.text.oneLine,
    ]
    return columns.compactMap(\.self).joined(separator: "\t")
  }
}
