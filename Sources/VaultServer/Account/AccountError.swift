import CarrierProtocol
import VaultModel

/// Why there is nothing to do with an account.
enum AccountError: Error, Hashable, Sendable {
  case notSignedIn, alreadySignedIn
  /// `quickvault-carrier` is not installed, or ended.
  case carrierMissing, carrierFailed
  /// The keychain with the credentials is locked, or does not respond.
  case keychainLocked
}

extension AccountError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notSignedIn: .init(1801, "account.notSignedIn", "You are not signed in.", "尚未登录。")
    case .alreadySignedIn:
      .init(1802, "account.alreadySignedIn", "You are already signed in. Sign out first.", "已经登录，请先退出登录。")
    case .carrierMissing:
      .init(
        1803, "account.carrierMissing", "Install quickvault-carrier, then lock and start QuickVault again.",
        "请安装 quickvault-carrier，然后锁定并重新启动随取。")
    case .carrierFailed:
      .init(
        1804, "account.carrierFailed", "quickvault-carrier ended unexpectedly. Try again.",
        "quickvault-carrier 意外退出，请重试。")
    case .keychainLocked:
      .init(
        1805, "account.keychainLocked",
        "The sign-in is in the desktop's keychain, which is locked or does not answer. Unlock it and try again.",
        "登录信息保存在桌面密钥环中，而密钥环已锁定或没有响应。请解锁密钥环后重试。")
    }
  }
}

extension ErrorDescriptor {
  /// Why a pass did not carry everything. No request fails with it.
  ///
  /// - Parameter file: one of the files that were left out.
  static func damaged(_ file: DamagedFile) -> Self {
    .init(1806, "account.damaged", file.isThere ? damagedThere(file.path) : damagedSomewhere(file.path))
  }

  private static func damagedThere(_ file: String) -> Localized {
    Localized(
      "Files on the server are damaged and were not carried, such as \(file). The others were. Delete the damaged "
        + "ones there: what is whole on this machine is sent again.",
      "服务器上有文件已损坏，未能传送，例如 \(file)；其余文件已传送。请在服务器上删除损坏的文件，本机的完整副本会重新上传。")
  }

  private static func damagedSomewhere(_ file: String) -> Localized {
    Localized(
      "Files are damaged on this machine or on the server and were not carried, such as \(file). The others "
        + "were. Compare the two copies and delete the damaged one, usually the shorter: the other is copied "
        + "again.",
      "有文件在本机或服务器上已损坏，未能传送，例如 \(file)；其余文件已传送。请比较两处的副本，删除损坏的一份（通常较短），完好的一份会重新复制。")
  }
}

/// A file of the folder that a pass did not copy, because one of its copies is damaged.
struct DamagedFile: Hashable, Sendable {
  /// Below the folder.
  let path: String
  /// Whether the copy on the server is the damaged one. Otherwise it may be the one here.
  let isThere: Bool
}

extension CarrierError: ApplicationError {
  var descriptor: ErrorDescriptor {
    .init(wire.code, wire.kind, Localized(message.english, message.chinese))
  }
}
