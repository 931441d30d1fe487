import VaultModel
import VaultProtocol

enum AccountProvidersHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true

  static func answer(_ request: AccountProviders, _ context: NoContext) -> Outcome<AccountProviders.Response>
  {
    Outcome(AccountProviders.Response(providers: AccountProvider.all))
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
