import VaultInterface
import Wire

enum InitCommand {
  static let command = Command(
    name: "init", summary: Localized("create the vault", "创建保险库"),
    help: Localized(
      """
      qv init [--kdf pbkdf2|argon2id] [--iterations N] [--memory KIB] [--password-fd N]

      Creates the vault. Asks for the master password twice and lists the cards. --password-fd reads the
      password once. The default key derivation is PBKDF2 with 600,000 iterations.
      """,
      """
      qv init [--kdf pbkdf2|argon2id] [--iterations N] [--memory KIB] [--password-fd N]

      创建保险库：询问两次主密码，然后列出卡片。--password-fd 只读取一次密码。
      默认的密钥派生为 PBKDF2，迭代 600,000 次。
      """),
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
    help: Localized(
      """
      qv unlock [--password-fd N | --password-command COMMAND | --pinentry]

      Unlocks the vault and lets this terminal use it, until a program locks it or it has been idle for the
      time in the settings. Other commands also ask for the password when they need it.
      """,
      """
      qv unlock [--password-fd N | --password-command 命令 | --pinentry]

      解锁保险库，并允许本终端使用，直到有程序将其锁定，或闲置时间达到设置的值。
      其他命令在需要时也会询问密码。
      """),
    options: Option.password
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    try invocation.vault.unlock()
    invocation.mention("unlocked", "已解锁")
  }
}

enum LockCommand {
  static let command = Command(
    name: "lock", summary: Localized("lock now", "立即锁定"),
    help: Localized(
      "qv lock\n\nLocks the vault, for all programs that share it.", "qv lock\n\n立即锁定保险库；对共用它的所有程序生效。")
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    _ = try invocation.vault.send(SessionLock()).getOrFail()
    invocation.mention("locked", "已锁定")
  }
}

enum StatusCommand {
  static let command = Command(
    name: "status", summary: Localized("show the path and state of the vault", "显示保险库的位置和状态"),
    help: Localized(
      """
      qv status [--json | --prompt | --quiet]

      Shows the path of the vault, whether it is locked, and whether this terminal may use it. Does not count
      as activity. --prompt prints one word for the prompt of a shell: qv while the vault is unlocked, qv! if
      synchronisation or a file beside the vault needs you, and nothing otherwise, or if there is no answer
      within a second. It starts no program.
      --quiet prints nothing, and says by the exit status whether this terminal can use the vault: 0 if it can,
      5 if it is locked or needs consent, 8 if there is none.
      """,
      """
      qv status [--json | --prompt | --quiet]

      显示保险库的路径、是否已锁定，以及本终端能否使用。查询状态不会推迟自动锁定。--prompt 只输出一个词，
      供 shell 提示符使用：保险库已解锁时为 qv，同步或保险库旁的文件需要处理时为 qv!，其余情况，
      或一秒内没有响应时，不输出任何内容。它不会启动任何程序。
      --quiet 不输出任何内容，以退出状态说明本终端能否使用保险库：0 可以使用，5 已锁定或尚未获准，8 没有保险库。
      """),
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
    help: Localized(
      """
      qv delete-vault [--confirm FILENAME] [--password-fd N]

      Deletes the vault and all its cards permanently. Asks for the file name and the password.
      """,
      """
      qv delete-vault [--confirm 文件名] [--password-fd N]

      永久删除保险库及其中所有卡片。需要输入文件名和密码。
      """),
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
