import JSON
import VaultModel

extension Doctor {
  /// What `quickvault-desktop` says of fingerprint reader, keychain and session.
  var desktopFindings: [Finding] {
    let status = programs.path(of: "quickvault-desktop").map(DesktopQuestion.ask)
    return [
      finding("fingerprint", Localized("Fingerprint reader", "指纹识别器"), status),
      finding("keychain", Localized("Keychain", "钥匙串"), status),
      finding("session", Localized("Desktop session", "桌面会话"), status),
    ]
  }

  private func finding(_ key: String, _ subject: Localized, _ status: JSON??) -> Finding {
    guard let status else {
      return Finding(
        key, subject, .absent,
        Localized("cannot be told without quickvault-desktop", "没有 quickvault-desktop，无法得知"))
    }
    guard let part = status?[key], let state = part["state"]?.string else {
      return Finding(
        key, subject, .amiss, Localized("quickvault-desktop does not answer", "quickvault-desktop 没有应答"),
        advice: Localized("install it anew, of the same version", "请重新安装相同版本的 quickvault-desktop"))
    }
    let package = part["package"]?.string
    return Finding(
      key, subject, Self.state(of: state), Self.words(state, reader: part["reader"]?.string),
      advice: package.map { Localized("apt install \($0)", "请运行 apt install \($0)") } ?? Self.advice(state))
  }

  private static func state(of state: String) -> Finding.State {
    switch state {
    case "ready", "locked": .well
    case "failed": .amiss
    default: .absent
    }
  }

  private static func words(_ state: String, reader: String?) -> Localized {
    switch state {
    case "ready": reader.map { Localized(verbatim: $0) } ?? Localized("there", "可用")
    case "locked": Localized("there, and locked", "可用，已锁定")
    case "busMissing": Localized("there is no message bus", "没有消息总线")
    case "serviceMissing": Localized("its service is not there", "缺少相应的服务")
    case "noReader": Localized("no reader is connected", "未连接识别器")
    case "notEnrolled": Localized("no finger is enrolled", "尚未录入指纹")
    case "permissionDenied": Localized("this session may not use it", "本会话无权使用")
    case "noCollection": Localized("there is no default keychain", "没有默认钥匙串")
    case "none": Localized("this is none", "不在桌面会话中")
    case "failed": Localized("its service fails", "相应的服务出错")
    default: Localized(verbatim: state)
    }
  }

  private static func advice(_ state: String) -> Localized? {
    switch state {
    case "notEnrolled":
      Localized("fprintd-enroll, or the desktop's settings", "请运行 fprintd-enroll，或在桌面设置中录入")
    case "permissionDenied": Localized("log in at the machine itself", "请在本机登录")
    case "noCollection": Localized("make a keychain in the desktop's password program", "请在桌面的密码程序中创建钥匙串")
    case "failed": Localized("look into the journal: journalctl -b", "请查看日志：journalctl -b")
    default: nil
    }
  }
}
