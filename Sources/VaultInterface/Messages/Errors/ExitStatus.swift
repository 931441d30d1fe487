import Wire

/// The exit statuses of qv. They are part of its interface and do not change.
package enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case notFound = 3
  case ambiguous = 4
  /// A password is needed, and there is nobody to ask.
  case locked = 5
  case wrongPassword = 6
  case wait = 7
  case noVault = 8
  case invalid = 9
  case conflict = 10
  /// The program is missing, too old or too new, or it has exited.
  case program = 11
  case vault = 12
  case declined = 13
  /// Standard output could not be written.
  case output = 14
  /// A file or the disk cannot be used as it has to be.
  case file = 15
  case incomplete = 16
  /// A merge of files that could not be tried. Only git sees this number; others see that of a failure.
  case untried = 129

  /// What help and manual say; nil for a status that only git sees.
  package var meaning: Localized? {
    switch self {
    case .success: Localized("success", "成功")
    case .failure: Localized("other failure", "其他错误")
    case .usage: Localized("usage error", "用法错误")
    case .notFound: Localized("no such card, field or machine; no matches", "没有此卡片、字段或电脑；没有匹配")
    case .ambiguous: Localized("several cards match", "匹配多张卡片")
    case .locked:
      Localized("a password is needed, and nothing and nobody gives it", "需要密码，但无处可得")
    case .wrongPassword: Localized("wrong password", "密码错误")
    case .wait: Localized("too many wrong passwords: wait", "密码错误次数过多：请等待")
    case .noVault: Localized("there is no vault", "没有保险库")
    case .invalid: Localized("a value is invalid", "有无效的值")
    case .conflict: Localized("another program has changed the card", "卡片已被其他程序修改")
    case .program:
      Localized("the program is missing, too old, too new, or has exited", "程序缺失、太旧、太新或已退出")
    case .vault: Localized("the vault is damaged or cannot be used, or already exists", "保险库损坏、无法使用或已存在")
    case .declined: Localized("cancelled by the user", "用户取消")
    case .output: Localized("the output could not be written", "无法写入输出")
    case .file:
      Localized(
        "a file or directory cannot be read or written, or the disk is full", "文件或目录无法读取或写入，或磁盘已满")
    case .incomplete: Localized("the exported file does not have everything", "导出的文件不完整")
    case .untried: nil
    }
  }

  /// The kinds of errors that have this status; all others have that of a failure.
  package var kinds: [String] {
    self == .failure ? [] : ErrorKind.all.filter { $0.exitStatus == rawValue }.map(\.name).sorted()
  }

  /// The status for an error of a kind.
  package init(kind: String) {
    self = ErrorKind.named(kind).flatMap { Self(rawValue: $0.exitStatus) } ?? .failure
  }

  /// The numbers and what they mean, also for a signal.
  package static var table: [(number: Int32, meaning: Localized)] {
    allCases.compactMap { status in status.meaning.map { (status.rawValue, $0) } } + [
      (126, Localized("qv run: the program cannot be started", "qv run：程序无法启动")),
      (127, Localized("qv run: there is no such program", "qv run：没有此程序")),
      (130, Localized("interrupted", "被中断")),
      (141, Localized("the reader of the output has ended", "输出的读取方已退出")),
    ]
  }
}
