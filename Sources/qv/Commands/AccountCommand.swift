import VaultInterface
import Wire

/// `qv account`: the server to which the folder is mirrored (C).
enum AccountCommand {
  static let command = Command(
    name: "account", summary: Localized("mirror the folder to a WebDAV server", "用服务器传送同步文件夹"),
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
