/// Why a pinentry gave no password.
enum PinentryError: Error, Hashable, Sendable {
  /// The user cancelled it, or the request was interrupted.
  case cancelled
  case timedOut
  /// No program is installed.
  case notInstalled
  /// The client has neither a display nor a terminal that is free.
  case noTerminal
  /// The program could not ask, or ended.
  case failed
}

extension PinentryError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .cancelled: .init(1701, "pinentry.cancelled", "Cancelled.", "已取消。", isSilent: true)
    case .timedOut: .init(1702, "pinentry.timedOut", "No password was entered in time.", "等待输入密码超时。")
    case .notInstalled:
      .init(
        1703, "pinentry.notInstalled",
        "No pinentry is installed. Install one, such as the package pinentry-curses.",
        "未安装 pinentry。请安装一个，例如软件包 pinentry-curses。")
    case .noTerminal:
      .init(
        1704, "pinentry.noTerminal",
        "There is no display or free terminal to ask in. Unlock in another terminal, such as with qv unlock.",
        "没有可用于询问密码的图形界面或空闲终端。请在另一个终端中解锁，例如用 qv unlock。")
    case .failed:
      .init(1705, "pinentry.failed", "The pinentry could not ask for the password.", "pinentry 无法询问密码。")
    }
  }
}
