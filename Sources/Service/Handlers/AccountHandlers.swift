import HelperProtocols
import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var accounts: [Method] {
    // Others go on while the person signs in.
    Method(.reading, takesPassword: true) {
      (request: AccountSignIn, context: AccountContext) async throws -> Outcome<AccountResponse> in
      let needs: [(String, String?)] =
        switch request.method {
        case .device, .code: [("issuer", request.issuer), ("clientId", request.clientId)]
        case .nextcloud: []
        case .password: [("user", request.user), ("password", request.password)]
        }
      if let missing = needs.first(where: { $0.1?.isEmpty ?? true }) {
        throw ParameterError(missing.0, .presence)
      }
      let authorities = try request.authorities.map { path throws(FileError) in try UserPath(path).absolute }
      guard try context.stored() == nil else { throw AccountError.alreadySignedIn }
      try context.confirm()
      context.account.proxies = context.proxies
      let notifications = context.notifications
      let answer = try await context.work.interruptibly {
        try await context.account.ask(CarrierSignIn(request, authorities)) { notification in
          guard notification.method == CarrierPrompt.method, let parameters = notification.parameters,
            let prompt = try? CarrierPrompt.read(parameters, at: "params")
          else { return }
          notifications.send(AccountDidPrompt(prompt))
        }
      }
      let account = Account(
        method: request.method, address: answer.address, authorities: authorities,
        secret: .sealed(answer.credentials))
      do {
        try await context.session.waitingForOthers {
          guard try context.stored() == nil else { throw AccountError.alreadySignedIn }
          try context.store(account)
        }
      } catch {
        // Nobody keeps what signs in. A password that the user typed may be that of another sign-in, too.
        if request.method != .password { _ = try? await context.revoke(account) }
        throw error
      }
      try await context.begin()
      return Outcome(try context.answer())
    }

    Method(.reading, countsAsActivity: false) {
      (request: AccountStatus, context: AccountContext) throws -> Outcome<AccountResponse> in
      Outcome(try context.answer())
    }

    // Others go on while the server is told.
    Method(.reading) {
      (request: AccountSignOut, context: AccountContext) async throws -> Outcome<AccountSignOut.Response> in
      guard try context.stored() != nil else { throw AccountError.notSignedIn }
      let (account, answer) = try await context.endingMirroring {
        // The newest tokens are to be revoked.
        try await context.awaitRefresh()
        guard let account = try context.stored() else { throw AccountError.notSignedIn }
        return (account, try await context.revoke(account))
      }
      // Here, and not by repeating the request: the server was told.
      try await context.session.waitingForOthers { try context.store(nil) }
      await context.deleteSecret(of: account)
      return Outcome(answer)
    }

    Method(.reading, isOpenToAll: true) {
      (request: AccountProviders, context: NoContext) -> Outcome<AccountProviders.Response> in
      Outcome(AccountProviders.Response(providers: AccountProvider.all))
    }

    Method(.reading, prompts: .password) {
      (request: AccountDeleteData, context: AccountContext) async throws -> Outcome<
        AccountDeleteData.Response
      > in
      let session = context.session
      guard let account = try session.account() else { throw AccountError.notSignedIn }
      try session.requireName(request.confirmation)
      try await session.authorize(password: request.password)
      let folder = try? UserPath(session.syncStatus().folder).absolute
      let vault = try session.vaultIdentifier().description
      let deleted = try await context.endingMirroring {
        try await context.withCredentials(of: account) { credentials in
          try await context.account.ask(
            CarrierDeleteData(
              address: account.address, credentials: credentials, vault: vault, folder: folder,
              authorities: account.authorities)
          ).deleted
        }
      }
      // With new tokens, if there are any.
      let last = try session.account() ?? account
      // Before anything can fail: with an account, the folder would be carried again.
      try await session.waitingForOthers { try session.setAccount(nil) }
      let signedOut = try await context.revoke(last)
      await context.deleteSecret(of: account)
      return Outcome(AccountDeleteData.Response(deleted: deleted, signedOut: signedOut))
    }
  }
}

extension CarrierSignIn {
  fileprivate init(_ request: AccountSignIn, _ authorities: String?) {
    let method: Method =
      switch request.method {
      case .device: .device
      case .code: .code
      case .nextcloud: .nextcloud
      case .password: .password
      }
    self.init(
      method: method, address: request.address.withScheme, issuer: request.issuer?.withScheme,
      clientId: request.clientId, clientSecret: request.clientSecret, scope: request.scope,
      user: request.user, password: request.password, authorities: authorities)
  }
}

extension String {
  /// This URL; with `https` if it has no scheme.
  fileprivate var withScheme: String { contains("://") ? self : "https://" + self }
}

extension AccountDidPrompt {
  fileprivate init(_ prompt: CarrierPrompt) {
    self.init(
      url: prompt.url, code: prompt.code, urlWithCode: prompt.urlWithCode,
      expiresInSeconds: prompt.expiresInSeconds)
  }
}

extension AccountProvider {
  fileprivate static let all = [nextcloud, nutstore, webDAV, openID, google]

  private static let nextcloud = Self(
    id: "nextcloud", name: Localized("Nextcloud", "Nextcloud"),
    note: Localized(
      "Give your server's URL, such as https://cloud.example.org. You sign in on its page in your browser, and the "
        + "server makes an app password for this machine.",
      "请填写服务器网址，如 https://cloud.example.org。您在浏览器中登录后，服务器会为这台电脑生成应用密码。"),
    methods: [.nextcloud], needs: ["address"])

  private static let nutstore = Self(
    id: "nutstore", name: Localized("Nutstore (坚果云)", "坚果云"),
    note: Localized(
      "Give your e-mail address and an app password, which Nutstore makes under Account, Security, Third-party apps.",
      "请填写账户邮箱和应用密码；应用密码在坚果云的“账户信息 › 安全选项 › 第三方应用管理”中生成。"),
    methods: [.password], needs: ["user", "password"], address: "https://dav.jianguoyun.com/dav/QuickVault/")

  private static let webDAV = Self(
    id: "webdav", name: Localized("Another WebDAV server", "其他 WebDAV 服务器"),
    note: Localized(
      "Give the URL of a folder on the server, your user name and an app password, which most servers make on their "
        + "security page.",
      "请填写服务器上文件夹的网址、用户名和应用密码；多数服务器可在安全设置页中生成应用密码。"),
    methods: [.password], needs: ["address", "user", "password"])

  private static let openID = Self(
    id: "openid", name: Localized("OpenID Connect", "OpenID Connect"),
    note: Localized(
      "Give the URL of a folder on the server, the provider's URL, and the client ID that the provider has for this "
        + "program: a public client with the device grant, or with the redirect URI http://127.0.0.1. The WebDAV "
        + "server has to accept the provider's tokens, as ownCloud Infinite Scale does. Apple cannot be used: it "
        + "answers only to web sites.",
      "请填写服务器上文件夹的网址、登录服务的网址，以及登录服务为本程序登记的客户端标识：支持设备授权的公开客户端，"
        + "或重定向地址为 http://127.0.0.1 的公开客户端。WebDAV 服务器须接受该登录服务的令牌，如 ownCloud Infinite Scale。"
        + "Apple 只支持网站登录，因此无法使用。"),
    methods: [.device, .code], needs: ["address", "issuer", "clientId"])

  private static let google = Self(
    id: "google", name: Localized("Google", "Google"),
    note: Localized(
      "For a WebDAV server that accepts Google's tokens; Google Drive is none. Make an OAuth client in the Google "
        + "Cloud console, of the type “TVs and Limited Input devices” for a code or “Desktop app” for a browser on "
        + "this machine, and give its client ID and secret.",
      "用于接受 Google 令牌的 WebDAV 服务器（Google 云端硬盘不支持 WebDAV）。请在 Google Cloud 控制台中创建 OAuth 客户端："
        + "输入代码时选“电视和受限输入设备”，使用本机浏览器时选“桌面应用”；然后填写其客户端标识和密钥。"),
    methods: [.device, .code], needs: ["address", "clientId", "clientSecret"],
    issuer: "https://accounts.google.com")
}
