import VaultInterface
import Wire

/// `qv account`: the server to which the folder is mirrored (C).
enum AccountCommand {
  static let command = Command(
    name: "account", summary: Localized("mirror the folder to a WebDAV server", "用服务器传送同步文件夹"),
    help: Localized(
      """
      qv account [status] [--json]
      qv account providers [--json]
      qv account sign-in [URL [--user NAME [--password-fd N]] [--ca-file FILE]]
      qv account sign-in URL --issuer URL --client-id ID [--client-secret] [--scope SCOPE] [--browser]
      qv account sign-out [--yes]
      qv account delete-data NAME [--password-fd N]

      Mirrors the folder of qv sync enable to a WebDAV server, so that you need neither Syncthing nor the
      Nextcloud client. All files are encrypted; the server never gets a key. It learns your user name, the
      address of each machine, when it connects, and the number, sizes and times of files; quickvault
      privacy says more. The folder is mirrored after each change and once a minute while the vault is
      unlocked. The sign-in is stored in the desktop's keychain, and the folder is then mirrored while the
      vault is locked, too. Without a keychain, the sign-in is stored encrypted in the vault's file.

      sign-in on a terminal asks for the server and how to sign in.
      sign-in URL signs in to a Nextcloud server in your browser. With --user, it signs in to the WebDAV
      folder at URL with an app password. With --issuer, it signs in with an OpenID Connect provider: type the
      code that is shown into any browser, or use --browser to sign in with a browser on this machine.
      --client-secret asks for the secret that some providers issue with the client ID.
      A script gives --password-fd the master password and, in the next line, the app password or the client
      secret, whether the vault is locked or not. Without a vault, only the last line is used. A command or a
      pinentry gives the master password only, and the other secret is asked for at the terminal.
      With --ca-file, only the certificates in FILE (PEM) are trusted, for a server whose certificate you
      signed yourself. Keep the file: it is read each time.

      providers lists the kinds of servers and providers, and what to have ready for each.
      sign-out asks first, revokes the sign-in, if the server can do that, and forgets it here. Your vault and
      the folder on the server stay.
      delete-data also deletes the vault's folder on the server. To confirm, NAME is the name of the vault's
      file, such as vault.quickvault. Sign out on your other machines first: they would send all files again.
      On a machine without a vault, sign in, then run qv sync join FOLDER, which fetches the folder first. Until
      then, the sign-in is kept in memory, for an hour at most.
      """,
      """
      qv account [status] [--json]
      qv account providers [--json]
      qv account sign-in [网址 [--user 用户名 [--password-fd N]] [--ca-file 文件]]
      qv account sign-in 网址 --issuer 网址 --client-id 标识 [--client-secret] [--scope 授权范围] [--browser]
      qv account sign-out [--yes]
      qv account delete-data 文件名 [--password-fd N]

      由 WebDAV 服务器传送 qv sync enable 建立的文件夹，无需 Syncthing 或 Nextcloud 客户端。
      文件夹中的内容事先均已加密，服务器得不到密钥，但会知道您的用户名、各台电脑的地址和连接时间，
      以及文件的数量、大小和时间；详见 quickvault privacy。保险库解锁期间，每次更改之后以及每分钟传送一次。
      登录信息保存在桌面密钥环中，因此锁定期间也会传送；没有密钥环时则加密保存在保险库文件中。

      在终端上，不带网址的 sign-in 会询问服务器和登录方式。
      sign-in 网址：在浏览器中登录 Nextcloud 服务器。加 --user 则用应用密码登录该网址的 WebDAV 文件夹。
      加 --issuer 则通过 OpenID Connect 登录：在任一浏览器中输入显示的代码；或加 --browser，使用本机浏览器。
      有些登录服务的客户端标识另有密钥，加 --client-secret 后会询问。
      脚本用 --password-fd 先给出主密码，再在下一行给出应用密码或客户端密钥，无论保险库是否锁定；
      没有保险库时只使用最后一行。--password-command 和 --pinentry 只提供主密码，另一个密码仍须在终端输入。
      加 --ca-file 则信任该文件中的证书（PEM），而不是系统的证书，用于证书由您自己签发的服务器。
      请保留该文件：每次传送都会读取。

      providers 列出可用的服务器和登录服务，以及各自需要的信息。
      sign-out 先询问，再撤销在服务器上的登录（如果服务器支持），并删除本机的登录信息；保险库和服务器上的文件夹保持不变。
      delete-data 还会删除服务器上该保险库的文件夹；须给出保险库的文件名（如 vault.quickvault）以防误删。
      请先在其他电脑上退出登录，否则它们会重新上传所有文件。
      在尚无保险库的电脑上，先登录，再用 qv sync join 文件夹：它会先从服务器取得文件夹。
      在此之前，登录信息只保存在内存中，最多一小时。
      """),
    options: [
      .json, .yes, Option(name: "user", value: .nothing), Option(name: "issuer", value: .nothing),
      Option(name: "ca-file", value: .files),
      Option(name: "client-id", value: .nothing), Option(name: "client-secret"),
      Option(name: "scope", value: .nothing), Option(name: "browser"),
    ] + Option.password,
    operands: [.words(["status", "providers", "sign-in", "sign-out", "delete-data"]), .nothing]
  ) { invocation throws(Failure) in
    let vault = invocation.vault
    switch invocation.operands.first ?? "status" {
    case "status":
      try invocation.arguments.allow(1)
      try show(vault.ask(AccountStatus()), invocation)
    case "providers": try showProviders(invocation)
    case "sign-in": try SignIn.run(invocation)
    case "sign-out":
      try invocation.arguments.allow(1)
      // Without an account, the answer says so, and there is nothing to ask.
      if let account = try name(of: vault.ask(AccountStatus()).details) {
        try invocation.confirm(
          Localized(
            "Sign out from \(account)? The folder is then no longer mirrored. [y/N]",
            "要从 \(account) 退出登录吗？此后不再传送文件夹。[y/N]"))
      }
      let answer = try vault.ask(AccountSignOut())
      try showSignOut(answer, answer.value, invocation)
    case "delete-data": try deleteData(invocation)
    case let action:
      throw .usage(Localized("qv account has no \(action)", "qv account 没有 \(action)"))
    }
  }

  // MARK: Signing out

  /// The server and, if that is known, the user; nil if nobody is signed in.
  private static func name(of account: AccountResponse.Details?) -> String? {
    guard let account else { return nil }
    let address = account.address.printable
    return account.user.map { "\(address) (\($0.oneLine))" } ?? address
  }

  private static func deleteData(_ invocation: Invocation) throws(Failure) {
    guard let name = invocation.operands.dropFirst().first else {
      throw .usage(Localized("to confirm, give the name of the vault's file", "请给出保险库的文件名以确认"))
    }
    try invocation.arguments.allow(2)
    guard try invocation.vault.ask(AccountStatus()).details != nil else {
      throw .exit(.failure, Localized("not signed in", "尚未登录"))
    }
    let answer = try invocation.vault.askWithPassword(Prompt.confirmation) {
      AccountDeleteData(password: $0, confirmation: name)
    }
    if !invocation.arguments.has(.json) {
      invocation.report(
        answer.deleted
          ? invocation.text("the vault's folder on the server was deleted", "已删除服务器上该保险库的文件夹")
          : invocation.text("there was nothing on the server", "服务器上没有内容"))
    }
    try showSignOut(answer, answer.signedOut, invocation)
  }

  private static func showSignOut<Whole>(
    _ answer: Answer<Whole>, _ signedOut: AccountSignOut.Response, _ invocation: Invocation
  ) throws(Failure) {
    if try invocation.showsJSON(answer) { return }
    if let message = signedOut.message { invocation.report(message.text) }
    if !signedOut.revoked {
      invocation.report(
        "the app password or session may still be valid at the server: delete it there",
        "应用密码或会话在服务器上可能仍然有效，请在服务器上删除")
    }
    try invocation.output.line(invocation.text("signed out", "已退出登录"))
  }

  // MARK: Showing

  private static func showProviders(_ invocation: Invocation) throws(Failure) {
    try invocation.arguments.allow(1)
    let answer = try invocation.vault.send(AccountProviders()).getOrFail()
    if try invocation.showsJSON(items: answer.json["providers"]) { return }
    if try invocation.shows({ TerminalPage(answer.providers) }) { return }
    for provider in answer.providers {
      let preset = (provider.address ?? provider.issuer).map { " <\($0)>" } ?? ""
      try invocation.output.line(provider.name[invocation.language] + preset)
      try invocation.output.line("  " + provider.note[invocation.language])
    }
  }

  static func show(_ status: Answer<AccountResponse>, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(status) { return }
    if try invocation.shows({ TerminalPage(status.details) }) { return }
    let output = invocation.output
    guard let account = status.details else {
      return try output.line(
        invocation.text(
          "not signed in; to mirror the folder to a server, use qv account sign-in URL",
          "未登录：用“qv account sign-in 网址”登录后，可由服务器传送文件夹"))
    }
    let address = account.address.printable
    try output.line(invocation.text("server: \(address)", "服务器：\(address)"))
    if let user = account.user?.oneLine {
      try output.line(invocation.text("user: \(user)", "用户：\(user)"))
    }
    if let place = account.tokensIn {
      try output.line(
        place == .keychain
          ? invocation.text("tokens or password: in the desktop's keychain", "令牌或密码：保存在桌面密钥环中")
          : invocation.text("tokens or password: encrypted in the vault's file", "令牌或密码：加密保存在保险库文件中"))
    }
    try invocation.show(account.mirror)
  }
}
