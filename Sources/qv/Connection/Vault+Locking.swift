import VaultInterface
import Wire

extension Vault {
  /// Says why the vault is locked, if that is not by the user's own wish.
  func reportLock() throws(Failure) {
    guard Terminal.showsMessages else { return }
    guard let event = try? send(LogList(limit: 1)).get().items.first, event.event == "locked",
      let message = event.reason.flatMap({ Localized.locked[$0] })
    else { return }
    invocation.report(message[invocation.language])
  }
}

extension Localized {
  /// Why the vault was locked, by the reason of the log.
  fileprivate static let locked = [
    "timeout": Localized("the vault was locked because it was idle", "保险库闲置超时，已锁定"),
    "background": Localized("the vault was locked in the background", "转入后台，保险库已锁定"),
    "deviceLocked": Localized("the vault was locked because the desktop was locked", "桌面已锁定，保险库也已锁定"),
    "sleep": Localized("the vault was locked before the computer went to sleep", "电脑进入睡眠前，保险库已锁定"),
    "passwordChanged": Localized(
      "the vault was locked because another program changed its password or replaced its file; enter its password",
      "另一个程序更改了主密码，或替换了保险库文件，保险库已锁定；请输入其密码"),
  ]
}
