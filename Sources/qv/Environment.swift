import Glibc
import VaultInterface
import Wire

/// The variables of the environment.
enum Environment {
  static subscript(name: String) -> String? { ProcessEnvironment[name] }

  /// The value of a variable; nil if it is empty, too.
  static func nonEmptyValue(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// The ticket with which the program that started this one has it admitted, such as an editor; nil without one. The first use
  /// removes it from the environment.
  static let ticket = AdmissionTicket.take()

  /// The locale of messages.
  static var locale: String {
    nonEmptyValue("LC_ALL") ?? nonEmptyValue("LC_MESSAGES") ?? nonEmptyValue("LANG") ?? "C"
  }

  static var language: Language { Language(locale: locale) }

  /// The working directory; `.` if it does not exist any more.
  static var workingDirectory: String { SystemPath.workingDirectory ?? "." }

  /// A file name as an absolute path, because the server has another working directory.
  static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let directory = workingDirectory
    return (directory == "/" ? "/" : directory + "/")
      + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }
}

/// Why a command ends without success.
enum Failure: Error {
  /// With a status, and with lines for standard error.
  case exit(ExitStatus, [Localized])
  /// With the status of a program that the command has run.
  case status(Int32)
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

  /// A call of the system on a file has failed, as `errno` says.
  static func file(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return .exit(.file, Localized(verbatim: "\(path): \(reason)"))
  }

  static let needsYes = Failure.exit(
    .usage,
    Localized(
      "there is no terminal to ask for confirmation; use --yes", "没有可供确认的终端：请加 --yes"))

  static let declined = Failure.exit(.declined, Localized("nothing was changed", "未作任何更改"))
}
