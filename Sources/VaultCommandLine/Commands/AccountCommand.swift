import JSON
import VaultModel
import VaultProtocol

/// `qv account`: the server that carries the folder (C).
enum AccountCommand {
  static let command = Command(
    name: "account", summary: Localized("a server that carries the folder", "用服务器传送同步文件夹"),
    help: Localized(
      """
      qv account [status] [--json]
      qv account sign-in URL [--user NAME [--password-fd N]]
      qv account sign-in URL --issuer URL --client-id ID [--scope SCOPE] [--browser]
      qv account sign-out

      Has a WebDAV server carry the folder that qv sync enable made, in place of Syncthing or Nextcloud's own
      program. Everything in it is encrypted before; the server never gets a key. The folder is carried
      while the vault is unlocked: after each change, and every minute.
      sign-in URL signs in to a Nextcloud server in your browser. With --user, it signs in to the WebDAV folder
      at URL with an app password, which with --password-fd is the line after the master password where that
      is needed. With --issuer, you sign in with an OpenID Connect provider: you type the code that is shown
      into any browser; or, with --browser, you use one on this machine.
      sign-out has the server forget the sign-in. Your vault and what was carried stay.
      """,
      """
      qv account [status] [--json]
      qv account sign-in 网址 [--user 用户名 [--password-fd N]]
      qv account sign-in 网址 --issuer 网址 --client-id 标识 [--scope 范围] [--browser]
      qv account sign-out

      由 WebDAV 服务器传送 qv sync enable 建立的文件夹，无需 Syncthing 或 Nextcloud 客户端。
      文件夹中的内容事先均已加密，服务器得不到密钥。保险库解锁期间，每次更改之后以及每分钟传送一次。
      sign-in 网址：在浏览器中登录 Nextcloud 服务器。加 --user 则用应用密码登录该网址的 WebDAV 文件夹；
      使用 --password-fd 时，如需主密码，则应用密码为其下一行。加 --issuer 则通过 OpenID Connect 登录：
      在任一浏览器中输入显示的代码；或加 --browser，使用本机浏览器。
      sign-out 让服务器忘记此次登录；保险库和已传送的内容保持不变。
      """),
    options: [
      .json, Option(name: "user", value: .nothing), Option(name: "issuer", value: .nothing),
      Option(name: "client-id", value: .nothing), Option(name: "scope", value: .nothing),
      Option(name: "browser"),
    ] + Option.password,
    operands: [.words(["status", "sign-in", "sign-out"]), .nothing]
  ) { invocation throws(Failure) in
    let vault = invocation.vault
    switch invocation.operands.first ?? "status" {
    case "status":
      try invocation.arguments.allow(1)
      try show(vault.request(AccountStatus.method), invocation)
    case "sign-in": try signIn(invocation)
    case "sign-out":
      try invocation.arguments.allow(1)
      let answer = try vault.request(AccountSignOut.method)
      if try invocation.showsJSON(answer) { return }
      if let message = answer["failure"]?[invocation.language.rawValue]?.string { invocation.report(message) }
      try invocation.output.line(invocation.text("signed out", "已退出登录"))
    case let action:
      throw .usage(Localized("qv account has no \(action)", "qv account 没有 \(action)"))
    }
  }

  // MARK: Signing in

  private static func signIn(_ invocation: Invocation) throws(Failure) {
    let (vault, arguments) = (invocation.vault, invocation.arguments)
    guard let address = invocation.operands.dropFirst().first else {
      throw .usage(Localized("which server? Give its URL", "请给出服务器的网址"))
    }
    try arguments.allow(2)
    var members = [
      JSON.Member("method", .string(try method(arguments).rawValue)), .init("address", .string(address)),
    ]
    for (option, name) in [
      ("issuer", "issuer"), ("client-id", "clientId"), ("scope", "scope"), ("user", "user"),
    ] {
      if let value = arguments[option] { members.append(.init(name, .string(value))) }
    }
    try vault.ensureOpen()
    if arguments["user"] != nil {
      members.append(.init("password", .string(try vault.passwords.read(Prompt.ofAccount))))
    }
    let connection = try vault.connected()
    connection.onSignInPage = { page in SignInPage(page).show(invocation) }
    defer { connection.onSignInPage = nil }
    try show(vault.request(AccountSignIn.method, .object(members)), invocation)
  }

  private static func method(_ arguments: Arguments) throws(Failure) -> AccountMethod {
    let (user, issuer, client) = (arguments["user"], arguments["issuer"], arguments["client-id"])
    guard (issuer == nil) == (client == nil) else {
      throw .usage(Localized("--issuer and --client-id belong together", "--issuer 与 --client-id 须同时使用"))
    }
    guard user == nil || issuer == nil else {
      throw .usage(Localized("either --user or --issuer", "--user 与 --issuer 只能用一个"))
    }
    guard issuer == nil else { return arguments.has("browser") ? .code : .device }
    return user == nil ? .nextcloud : .password
  }

  // MARK: Showing

  private static func show(_ status: JSON, _ invocation: Invocation) throws(Failure) {
    if try invocation.showsJSON(status) { return }
    let output = invocation.output
    guard status["signedIn"] == true else {
      return try output.line(
        invocation.text(
          "not signed in; qv account sign-in URL has a server carry the folder",
          "未登录：可用 qv account sign-in 网址 由服务器传送文件夹"))
    }
    let address = (status["address"]?.string ?? "").printable
    try output.line(invocation.text("server: \(address)", "服务器：\(address)"))
    if let user = status["user"]?.string?.oneLine {
      try output.line(invocation.text("user: \(user)", "用户：\(user)"))
    }
    let carried = status["lastCarried"]?.string.map { LocalTime.text($0) }
    try output.line(
      carried.map { invocation.text("carried: \($0)", "传送：\($0)") }
        ?? invocation.text("not carried yet", "尚未传送"))
    if let failure = status["failure"] {
      let since = LocalTime.text(failure["since"]?.string ?? "")
      let message = (failure["message"]?.string ?? "").oneLine
      try output.line(invocation.text("failing since \(since): \(message)", "自 \(since) 起失败：\(message)"))
    }
  }
}
