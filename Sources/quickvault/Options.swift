import VaultModel

/// The options of the command line and the environment.
struct Options {
  /// The command.
  enum Action: Equatable {
    /// Serve the vault.
    case serve
    /// Serve a new demo vault.
    case demo
    /// Check the installation and the vault's file.
    case doctor
    case help, version
  }

  /// An invalid command line, and what to try instead.
  struct Misuse: Error {
    let message: Localized
  }

  var action = Action.serve
  /// The vault's path, absolute or relative to the working directory.
  var vault: String
  /// The directory of the helper programs; nil for the program's own and `../libexec/quickvault`.
  var helpers: String?
  /// Whether the doctor prints JSON.
  var isJSON = false
  /// Whether the doctor prints what a bug report needs.
  var isReport = false
  /// Whether to log on standard error.
  var isVerbose = false

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``Misuse`` at the first invalid argument.
  init(arguments: [String], environment: (String) -> String?) throws(Misuse) {
    var named: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      switch parts.first {
      case "--help", "-h": action = .help
      case "--version", "-V": action = .version
      case "--verbose", "-v": isVerbose = true
      case "--vault":
        guard let path = parts.count > 1 ? parts.last : rest.popFirst(), !path.isEmpty else {
          throw Misuse(message: Localized("--vault needs a path", "--vault 后需要给出路径"))
        }
        named = path
      case "--helpers":
        guard let path = parts.count > 1 ? parts.last : rest.popFirst(), !path.isEmpty else {
          throw Misuse(message: Localized("--helpers needs a directory", "--helpers 后需要给出目录"))
        }
        helpers = path
      case "--json": isJSON = true
      case "--report": isReport = true
      case "demo" where action == .serve: action = .demo
      case "doctor" where action == .serve: action = .doctor
      default: throw Misuse(message: Self.hint(for: argument))
      }
    }
    for (isGiven, option) in [(isJSON, "--json"), (isReport, "--report")] where isGiven && action != .doctor {
      throw Misuse(
        message: Localized("\(option) can only be used with doctor", "\(option) 只能与 doctor 一起使用"))
    }
    if isJSON, isReport {
      throw Misuse(message: Localized("use --json or --report, not both", "--json 和 --report 不能同时使用"))
    }
    if action == .demo, named != nil {
      throw Misuse(
        message: Localized(
          "demo uses its own vault and does not accept --vault", "demo 使用专用的保险库，不接受 --vault"))
    }
    vault = named ?? Self.defaultVault(environment)
  }

  /// `QUICKVAULT_VAULT`, or else the path by the XDG Base Directory Specification.
  private static func defaultVault(_ environment: (String) -> String?) -> String {
    if let path = environment("QUICKVAULT_VAULT"), !path.isEmpty { return path }
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return "\(data)/quickvault/vault.quickvault"
    }
    return "\(environment("HOME") ?? ".")/.local/share/quickvault/vault.quickvault"
  }

  private static func hint(for argument: String) -> Localized {
    guard argument.hasPrefix("-") else {
      return Localized("unexpected argument: \(argument)", "多余的参数：\(argument)")
    }
    let known = ["--help", "--helpers", "--json", "--report", "--version", "--vault", "--verbose"]
    let close = known.first {
      $0.hasPrefix(argument) || argument.hasPrefix($0) || $0.dropFirst(2) == argument.drop { $0 == "-" }
    }
    return Localized(
      "unknown option: \(argument)" + (close.map { " (did you mean \($0)?)" } ?? ""),
      "未知选项：\(argument)" + (close.map { "（是否要用 \($0)？）" } ?? ""))
  }
}
