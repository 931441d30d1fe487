import VaultInterface
import Wire

enum InitCommand {
  static let command = Command(
    name: "init", summary: Localized("create the vault", "创建保险库"),
    options: Option.password + Option.keyDerivation
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let path = try invocation.vault.requireNone()
    invocation.terminal.show(Localized.welcome(path)[invocation.language])
    try invocation.vault.create()
    if Terminal.isInteractive { try ListCommand.command.run(invocation) }
  }
}

enum UnlockCommand {
  static let command = Command(
    name: "unlock", summary: Localized("unlock the vault", "解锁保险库"),
    options: Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    try invocation.vault.unlock()
    invocation.mention("unlocked", "已解锁")
  }
}

enum LockCommand {
  static let command = Command(
    name: "lock", summary: Localized("lock now", "立即锁定")
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    _ = try invocation.vault.send(SessionLock()).getOrFail()
    invocation.mention("locked", "已锁定")
  }
}

enum StatusCommand {
  static let command = Command(
    name: "status", summary: Localized("show the path and state of the vault", "显示保险库的位置和状态"),
    options: [.json, Option(name: "prompt"), Option(name: "quiet", short: "q")]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    if invocation.arguments.has("prompt") { return try showPrompt(invocation) }
    let status = try invocation.vault.status()
    if invocation.arguments.has("quiet") {
      guard status.exists else { throw .exit(.noVault, []) }
      if status.isLocked || status.isAdmitted == false { throw .exit(.locked, []) }
      return
    }
    if try invocation.showsJSON(status) { return }
    var lines = [status.path.printable]
    let state =
      if !status.exists {
        Localized("there is no vault yet; qv init creates one", "还没有保险库：可用 qv init 创建")
      } else if status.isLocked {
        Localized("locked", "已锁定")
      } else if status.isAdmitted == false {
        Localized("unlocked, but not for this terminal", "已解锁，但本终端尚未获准使用")
      } else {
        Localized("unlocked", "已解锁")
      }
    lines.append(state[invocation.language])
    if !status.exists {
      invocation.mention(Localized.joining.english, Localized.joining.simplifiedChinese)
    }
    let wait = status.lockout.retryAfterSeconds
    if wait > 0 {
      lines.append(
        invocation.text("too many wrong passwords: wait \(wait) s", "密码错误次数过多，请等待 \(wait) 秒"))
    }
    if status.isReadOnly == true { lines.append(Localized.readOnly[invocation.language]) }
    for file in status.conflictFiles ?? [] {
      let path = file.path.printable
      lines.append(
        file.kind == .copy
          ? invocation.text(
            "another copy of the vault: merge it with qv merge, then delete it: \(path)",
            "保险库的另一个副本，请用 qv merge 合并后删除：\(path)")
          : invocation.text(
            "a log whose vault is missing; qv doctor says what to do: \(path)",
            "找不到所属保险库的日志，处理方法见 qv doctor：\(path)"))
    }
    try invocation.printLines(lines)
  }

  private static func showPrompt(_ invocation: Invocation) throws(Failure) {
    Signals.exitQuietly(afterSeconds: 1)
    let vault = invocation.vault
    guard vault.connectIfRunning(), case .success(let status) = try vault.send(VaultStatus()),
      !status.isLocked
    else { return }
    // A terminal that may not use the vault does not hear of synchronisation.
    let sync = try vault.send(SyncStatusRequest())
    let isWrong = (try? sync.get())?.details?.needsAttention != nil
    try invocation.output.line(isWrong || status.conflictFiles != nil ? "qv!" : "qv")
  }
}

enum DeleteVaultCommand {
  static let command = Command(
    name: "delete-vault", summary: Localized("delete the vault", "永久删除保险库"),
    options: [Option(name: "confirm", value: .nothing)] + Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let status = try invocation.vault.status()
    let path = status.path
    guard status.exists else { throw .noVault(path) }
    let name = path.fileName
    var given = invocation.arguments["confirm"]
    if given == nil {
      guard Terminal.isInteractive else {
        throw .usage(
          Localized(
            "there is no terminal to ask for confirmation; use --confirm with the file name of the vault",
            "没有可供确认的终端：请用 --confirm 给出保险库的文件名"))
      }
      invocation.report("\(path) and all its cards will be deleted permanently", "\(path) 及其中所有卡片将被永久删除")
      given = try invocation.readLine(invocation.text("Type \(name) to confirm: ", "请输入 \(name) 以确认："))
    }
    guard given == name else { throw .declined }
    _ = try invocation.vault.askWithPassword(Prompt.unlock) { VaultDelete(password: $0, confirmation: name) }
    invocation.mention("the vault was deleted", "保险库已删除")
  }
}
