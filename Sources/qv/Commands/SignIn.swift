import VaultInterface
import Wire

/// `qv account sign-in`.
enum SignIn {
  static func run(_ invocation: Invocation) throws(Failure) {
    let vault = invocation.vault
    let asks = invocation.operands.count < 2 && Terminal.isInteractive
    var (request, takesSecret) = try asks ? askRequest(invocation) : request(invocation)
    let hasVault = try vault.status().exists
    guard hasVault || !Vault.isAlone(invocation.arguments) else { throw aloneWithoutVault }
    // First, so that a script gives the same lines whether the vault is locked or not.
    if hasVault { try vault.unlock() }
    try requireSignedOut(vault)
    invocation.mention(
      "all files are encrypted; the server learns your user name, the address of each machine and when it connects, and the number, sizes and times of files; quickvault privacy says more",
      "所有文件均已加密；服务器会知道您的用户名、各台电脑的地址和连接时间，以及文件的数量、大小和时间；详见 quickvault privacy")
    if takesSecret { try addSecret(to: &request, invocation, hasVault: hasVault) }
    let connection = try vault.connected()
    connection.onSignInPage = { $0.show(invocation) }
    defer { connection.onSignInPage = nil }
    var result = try vault.attempt(request)
    if asks, case .failure(let error) = result, error.kind == "carrier.certificate" {
      invocation.report(error.message)
      let file = try invocation.answerPath(
        Localized(
          "Certificate file of your authority (Enter to give up): ", "您自己的证书颁发机构的证书文件（按回车放弃）："))
      request.authorities = Environment.absolutePath(file)
      result = try vault.attempt(request)
    }
    // Another server does not know the address of Nextcloud's sign-in, or wants a password for any.
    if case .failure(let error) = result, request.method == .nextcloud,
      ["carrier.wrongServer", "carrier.refused"].contains(error.kind),
      case .exit(let status, let lines) = error.failure
    {
      throw .exit(
        status,
        lines + [
          Localized(
            "without --user and --issuer, the URL is that of a Nextcloud server",
            "不加 --user 或 --issuer 时，网址须为 Nextcloud 服务器的网址")
        ])
    }
    try AccountCommand.show(result.getOrFail(), invocation)
    if !hasVault {
      invocation.mention(
        "to get your vault from the server, use qv sync join FOLDER", "可用“qv sync join 文件夹”从服务器取得保险库")
    } else if try vault.ask(SyncStatusRequest()).details == nil {
      invocation.mention(
        "to create the folder, use qv sync enable FOLDER", "可用“qv sync enable 文件夹”建立要传送的文件夹")
    }
  }

  private static let aloneWithoutVault = Failure.exit(
    .noVault,
    Localized(
      "without a vault, the sign-in would be lost when qv exits; sign in without --alone and QUICKVAULT_ALONE",
      "还没有保险库，qv 退出后登录信息即丢失：请不加 --alone、不设 QUICKVAULT_ALONE 再登录"))

  /// Checks that nobody is signed in, before a secret is asked for.
  private static func requireSignedOut(_ vault: Vault) throws(Failure) {
    guard let account = try vault.ask(AccountStatus()).details else { return }
    // The provider has ended that one.
    guard account.mirror.failure?.kind == "carrier.signInAgain" else {
      throw .exit(
        .failure,
        Localized(
          "you are already signed in; sign out first: qv account sign-out",
          "已经登录，请先用 qv account sign-out 退出登录"))
    }
    try vault.ask(AccountSignOut())
  }

  /// The request of the command line without its secret, and whether it takes one.
  private static func request(_ invocation: Invocation) throws(Failure) -> (AccountSignIn, Bool) {
    let arguments = invocation.arguments
    guard let address = invocation.operands.dropFirst().first else {
      throw .usage(Localized("which server? Give its URL", "请给出服务器的网址"))
    }
    try arguments.allow(2)
    let request = AccountSignIn(
      method: try method(arguments), address: address, issuer: arguments["issuer"],
      clientId: arguments["client-id"], scope: arguments["scope"], user: arguments["user"],
      authorities: arguments["ca-file"].map(Environment.absolutePath))
    return (request, arguments.has("user") || arguments.has("client-secret"))
  }

  /// Asks for what a sign-in needs.
  private static func askRequest(_ invocation: Invocation) throws(Failure) -> (AccountSignIn, Bool) {
    let providers = try invocation.vault.send(AccountProviders()).getOrFail().providers
    let language = invocation.language
    let provider = providers[
      try invocation.choose(
        Localized("Which server or provider? ", "选择服务器或登录服务："), providers.map { $0.name[language] })]
    invocation.report(provider.note[language])
    let methods = provider.methods
    let method =
      methods[
        methods.count == 1
          ? 0
          : try invocation.choose(
            Localized("How do you want to sign in? ", "选择登录方式："), methods.map { $0.name[language] })]
    var request = AccountSignIn(
      method: method, address: provider.address ?? "", issuer: provider.issuer, clientId: nil, scope: nil,
      user: nil, authorities: nil)
    for need in provider.needs {
      switch need {
      case "address":
        request.address = try invocation.answer(
          method == .nextcloud
            ? Localized("URL of the Nextcloud server: ", "Nextcloud 服务器的网址：")
            : Localized("URL of the WebDAV folder: ", "WebDAV 文件夹的网址："))
      case "issuer":
        request.issuer = try invocation.answer(
          Localized("URL of the OpenID Connect provider: ", "OpenID Connect 登录服务的网址："))
      case "clientId":
        request.clientId = try invocation.answer(
          Localized("Client ID at the provider: ", "在登录服务中的客户端标识："))
        let scope = try invocation.readLine(
          invocation.text("Scope, if the server needs a certain one: ", "授权范围（服务器要求时填写）：")
        ).trimmed
        request.scope = scope.isEmpty ? nil : scope
      case "user": request.user = try invocation.answer(Localized("User name: ", "用户名："))
      default: continue
      }
    }
    return (request, provider.needs.contains { ["password", "clientSecret"].contains($0) })
  }

  private static func addSecret(to request: inout AccountSignIn, _ invocation: Invocation, hasVault: Bool)
    throws(Failure)
  {
    let passwords = invocation.vault.passwords
    if request.method == .password {
      request.password = try passwords.readForServer(Prompt.ofAccount, isOnlySecret: !hasVault)
    } else {
      request.clientSecret = try passwords.readForServer(Prompt.ofClient, isOnlySecret: !hasVault)
    }
  }

  private static func method(_ arguments: Arguments) throws(Failure) -> AccountMethod {
    let (user, issuer, client) = (arguments["user"], arguments["issuer"], arguments["client-id"])
    guard (issuer == nil) == (client == nil) else {
      throw .usage(Localized("--issuer and --client-id belong together", "--issuer 与 --client-id 须同时使用"))
    }
    for option in ["client-secret", "scope", "browser"] where issuer == nil && arguments.has(option) {
      throw .usage(Localized("--\(option) needs --issuer", "--\(option) 须与 --issuer 同时使用"))
    }
    guard user == nil || issuer == nil else {
      throw .usage(Localized("either --user or --issuer", "--user 与 --issuer 只能用一个"))
    }
    guard issuer == nil else { return arguments.has("browser") ? .code : .device }
    return user == nil ? .nextcloud : .password
  }
}
