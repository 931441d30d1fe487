import VaultInterface
import Wire

extension TerminalPage {
  /// How the vault is synchronised.
  ///
  /// - Parameter details: nil if it is not.
  init(_ details: SyncResponse.Details?) {
    guard let details else {
      self.init(Localized("This vault is not synchronised.", "此保险库未开启同步。"))
      add(
        Localized(
          "Choose an empty folder that Syncthing, a cloud drive, git or a USB stick carries to your other machines. What is in it is encrypted. Instead, a WebDAV server can carry it.",
          "请选择一个空文件夹，由 Syncthing、网盘、git 或 U 盘传送到您的其他电脑；其中的内容均已加密。也可以由 WebDAV 服务器传送。"))
      addNext([
        Suggestion("qv sync enable", .folder, Localized("turn synchronisation on", "开启同步")),
        Suggestion(
          "qv sync join", .folder, Localized("on the other machine, get this vault", "在另一台电脑上取得此保险库")),
        .signIn, .privacy,
      ])
      return
    }
    self.init(details.sentence)
    if let text = details.needsAttention { add(Localized(verbatim: text.text)) }
    addFacts([
      (Localized("Folder", "文件夹"), details.folder), (Localized("This machine", "本机"), details.machine),
      (
        Localized("Last synchronised", "上次同步"),
        details.lastSynced?.local ?? Localized("not yet", "尚未同步").shown
      ),
      (Localized("Failing since", "失败始于"), details.failure?.since.local),
      (Localized("Server", "服务器"), details.mirror?.text),
    ])
    addRows(
      details.replicas.map { Row($0.name, $0.text) }, under: Localized("Other machines:", "其他电脑："),
      ifEmpty: Localized(
        "No other machine has joined yet. Have the folder carried to another machine, and run qv sync join FOLDER there.",
        "还没有其他电脑加入。请把该文件夹传送到另一台电脑，在那里运行“qv sync join 文件夹”。"))
    let hasOthers = !details.replicas.isEmpty
    addNext([
      details.needsPassword == true
        ? Suggestion("qv sync rejoin", Localized("go on with the new password", "用新密码继续同步")) : nil,
      Suggestion("qv sync now", Localized("synchronise now", "立即同步")),
      hasOthers
        ? .conflicts : nil,
      hasOthers
        ? Suggestion(
          "qv sync forget", Localized("MACHINE", "电脑"),
          Localized("remove a machine that is not used any more", "移除不再使用的电脑")) : nil,
      hasOthers
        ? Suggestion("qv rekey", Localized("shut out a machine that was lost", "电脑丢失时更换密钥")) : nil,
      details.mirror == nil
        ? .signIn : Suggestion("qv account", Localized("the server that carries the folder", "传送文件夹的服务器")),
      Suggestion("qv sync disable", Localized("turn synchronisation off", "关闭同步")),
    ])
  }

  /// The server that carries the folder.
  ///
  /// - Parameter details: nil if nobody is signed in.
  init(_ details: AccountResponse.Details?) {
    guard let details else {
      self.init(Localized("You are not signed in to a server.", "未登录服务器。"))
      add(
        Localized(
          "A WebDAV server can carry the encrypted folder of qv sync between your machines. It learns your user name, the address of each machine and when it connects, and the number, sizes and times of files. It does not learn what is in them.",
          "WebDAV 服务器可以在电脑之间传送 qv sync 的加密文件夹。服务器会知道您的用户名、各台电脑的地址和连接时间，以及文件的数量、大小和时间；不会知道文件内容。"
        ))
      addNext([
        .signIn,
        Suggestion("qv account providers", Localized("what to have ready for each server", "各种服务器需要的信息")),
        .privacy,
      ])
      return
    }
    let failure = details.mirror.failure
    self.init(
      failure == nil
        ? Localized("You are signed in.", "已登录。")
        : Localized("You are signed in, but not everything in the folder is carried.", "已登录，但文件夹未能全部传送。"))
    addFacts([
      (Localized("Server", "服务器"), details.address),
      (Localized("User", "用户"), details.user ?? Localized("known to the provider only", "仅登录服务知道").shown),
      (Localized("Signed in by", "登录方式"), details.method.name.shown),
      (Localized("Certificates", "证书文件"), details.authorities),
      (Localized("Access until", "访问有效期至"), details.expiresAt?.local),
      (Localized("Credentials", "登录凭据"), details.tokensIn?.name.shown),
      (Localized("Folder", "文件夹"), details.mirror.text),
    ])
    addNext([
      failure?.kind == "carrier.signInAgain" ? .signIn : nil,
      Suggestion("qv sync", Localized("the folder and the other machines", "文件夹与其他电脑")),
      Suggestion("qv account sign-out", Localized("sign out; cards and files stay", "退出登录；卡片和文件保持不变")),
      Suggestion(
        "qv account delete-data", Localized("NAME", "文件名"),
        Localized("also delete what the server has of this vault", "同时删除服务器上此保险库的内容")),
      .privacy,
    ])
  }

  /// The kinds of servers that can carry the folder.
  init(_ providers: [AccountProvider]) {
    self.init(Localized("These servers can carry the folder.", "以下服务器可以传送文件夹。"))
    for provider in providers {
      let preset = (provider.address ?? provider.issuer).map { " <\($0)>" } ?? ""
      addRows(
        [Row("", provider.note.shown)]
          + provider.methods.map {
            Row("", Localized("- \($0.name.english)", "- \($0.name.simplifiedChinese)").shown)
          },
        under: Localized(provider.name.english + preset, provider.name.simplifiedChinese + preset))
    }
    addNext([.signIn, .privacy])
  }
}

extension TerminalPage.Suggestion {
  static var conflicts: Self {
    Self("qv conflicts", Localized("cards that were changed in two places", "在两处都被更改的卡片"))
  }

  fileprivate static var signIn: Self {
    Self("qv account sign-in", Localized("choose a server that carries the folder", "选择由哪个服务器传送文件夹"))
  }

  fileprivate static var privacy: Self {
    Self("qv privacy", Localized("what a folder or a server shows others", "文件夹和服务器会让他人知道什么"))
  }
}

extension Localized {
  fileprivate static let folder = Localized("FOLDER", "文件夹")
}

extension SyncResponse.Details {
  /// The state in a sentence.
  fileprivate var sentence: Localized {
    switch state {
    case .failed: Localized("Synchronisation does not work.", "同步失败。")
    case _ where needsAttention != nil:
      Localized("Synchronised, but something needs your attention.", "已同步，但有问题需要处理。")
    case .syncing: Localized("Synchronising now.", "正在同步。")
    case .idle: Localized("Synchronised.", "已同步。")
    }
  }
}

extension SyncResponse.MirrorStatus {
  /// When the folder was carried, and how far a pass is.
  fileprivate var text: String {
    let last = lastMirrored.map { Localized("mirrored \($0.local)", "上次传送 \($0.local)") }
    let shown = (last ?? Localized("not mirrored yet", "尚未传送")).shown
    if let percentage {
      return Localized("\(shown), now \(percentage) % of what is new", "\(shown)，新内容已传送 \(percentage)%").shown
    }
    guard let failure else { return shown + (notice.map { ". \($0.text)" } ?? "") }
    let (since, message) = (failure.since.local, failure.message.text)
    let next = nextTry.map { Localized(" Next try at \($0.local).", "下次尝试：\($0.local)。") }
    return Localized("\(shown); failing since \(since): \(message)", "\(shown)；自 \(since) 起失败：\(message)")
      .shown + (next?.shown ?? "")
  }
}

extension SyncResponse.Machine {
  /// The name, or the id before something of it was read.
  var name: String { machine.isEmpty ? "\(replica)" : machine }

  /// When something of it came, and what is missing.
  var text: String {
    let seen =
      lastSeen.map { Localized("last change \($0.local)", "最近更改 \($0.local)") }
      ?? Localized("nothing received yet", "尚未收到更改")
    let state =
      problem.map { Localized(verbatim: "! " + $0.message.text) }
      ?? (behind == 0
        ? Localized("up to date", "已是最新") : Localized("\(behind) files to come", "落后 \(behind) 个文件"))
    return Localized(
      "\(seen.english); \(state.english)", "\(seen.simplifiedChinese)；\(state.simplifiedChinese)"
    ).shown
  }
}

extension AccountMethod {
  /// How somebody signs in by it.
  var name: Localized {
    switch self {
    case .nextcloud: Localized("Nextcloud, in a browser", "Nextcloud，使用浏览器")
    case .password: Localized("user name and app password", "用户名和应用密码")
    case .device: Localized("OpenID Connect, with a code in any browser", "OpenID Connect，在任一浏览器中输入代码")
    case .code: Localized("OpenID Connect, in a browser on this machine", "OpenID Connect，使用本机浏览器")
    }
  }
}

extension AccountResponse.TokenStorage {
  fileprivate var name: Localized {
    switch self {
    case .keychain: Localized("in the desktop's keychain", "保存在桌面密钥环中")
    case .vault: Localized("encrypted in the vault's file", "加密保存在保险库文件中")
    }
  }
}
