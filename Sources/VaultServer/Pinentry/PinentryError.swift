/// Why a pinentry gave no password.
enum PinentryError: Error, Hashable, Sendable {
  /// The user cancelled it, or the request was interrupted.
  case cancelled
  case timedOut
  /// No program is installed.
  case notInstalled
  /// The client has neither a display nor a terminal.
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
        1704, "pinentry.noTerminal", "There is no display and no terminal to ask for the password.",
        "没有可用于询问密码的图形界面或终端。")
    case .failed:
      .init(1705, "pinentry.failed", "The pinentry could not ask for the password.", "pinentry 无法询问密码。")
    }
  }
}
