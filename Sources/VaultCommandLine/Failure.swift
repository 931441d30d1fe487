import VaultModel

/// The exit statuses. They are part of the interface of qv and do not change.
enum ExitStatus: Int32 {
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
  /// A merge of files that could not be tried. Only git sees this number; others see that of a failure.
  case untried = 129
}

/// Why a command ends without success.
enum Failure: Error {
  /// With a status, and with lines for standard error.
  case exit(ExitStatus, [Localized])
  /// A signal ends the command.
  case signal(Int32)

  static func exit(_ status: ExitStatus, _ message: Localized) -> Failure { .exit(status, [message]) }

  static func usage(_ message: Localized) -> Failure { .exit(.usage, [message]) }

  static func unexpectedArgument(_ word: String) -> Failure {
    .usage(Localized("unexpected argument: \(word)", "多余的参数：\(word)"))
  }

  static func needsNumber(_ option: String, atLeast minimum: Int) -> Failure {
    .usage(
      Localized(
        "--\(option) needs a whole number of at least \(minimum)", "--\(option) 后需要给出不小于 \(minimum) 的整数"))
  }

  static func needsValue(_ option: String) -> Failure {
    .usage(Localized("\(option) needs a value", "\(option) 后需要给出值"))
  }

  static let needsYes = Failure.exit(
    .usage,
    Localized(
      "there is no terminal to ask for confirmation; use --yes", "没有可供确认的终端：请加 --yes"))

  static let declined = Failure.exit(.declined, Localized("nothing was changed", "未作任何更改"))
}
