import VaultInterface
import Wire

/// The options of the command line and the environment.
struct Options {
  /// The command.
  enum Action: Equatable {
    /// Serve the vault to one client on standard input and output.
    case serve
    /// Serve the vault to all clients on a socket (U).
    case serveSocket
    /// Connect a client on standard input and output to the service on the socket (U).
    case relay
    /// Serve a new demo vault.
    case demo
    /// Check the installation and the vault's file.
    case doctor
    /// What qv does, with these arguments: merging files, and serving agents.
    case forward([String])
    /// Print what others learn of the vault, and the terms.
    case privacy
    case help, version
  }

  /// An invalid command line, and what to try instead.
  struct UsageError: Error {
    let message: Localized
  }

  var action = Action.serve
  /// Whether the service goes on in the background.
  var isInBackground = false
  /// The vault's path, absolute or relative to the working directory.
  var vault: String
  /// The directory of the helper programs; nil for the program's own and `../libexec/quickvault`.
  var helpers: String?
  /// The program that asks for passwords; nil for the usual ones.
  var pinentry: String?
  /// Whether the doctor prints JSON.
  var isJSON = false
  /// Whether the doctor prints what a bug report needs.
  var isReport = false
  /// Whether to log on standard error.
  var isVerbose = false

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` at the first invalid argument.
  init(arguments: [String], environment: (String) -> String?) throws(UsageError) {
    var named: String?
    var (isServing, isOnSocket, isShared, isForEditor) = (false, false, false, false)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      // Only an option that takes a value may have one.
      switch Self.optionsWithValue.contains(parts[0]) ? parts[0] : argument {
      case "--help", "-h": action = .help
      case "--version", "-V": action = .version
      case "--verbose", "-v": isVerbose = true
      case "--vault":
        guard let path = parts.count > 1 ? parts.last : rest.popFirst(), !path.isEmpty else {
          throw UsageError(message: Localized("--vault needs a path", "--vault 后需要给出路径"))
        }
        named = path
      case "--helpers":
        guard let path = parts.count > 1 ? parts.last : rest.popFirst(), !path.isEmpty else {
          throw UsageError(message: Localized("--helpers needs a directory", "--helpers 后需要给出目录"))
        }
        helpers = path
      case "--pinentry":
        guard let path = parts.count > 1 ? parts.last : rest.popFirst(), path.hasPrefix("/") else {
          throw UsageError(message: Localized("--pinentry needs an absolute path", "--pinentry 后需要给出绝对路径"))
        }
        pinentry = path
      case "--shared": isShared = true
      case "--socket": isOnSocket = true
      // Libraries of language clients add it for a server that they talk to on standard input and output.
      case "--stdio" where isForEditor: break
      case "--background": isInBackground = true
      case "--json": isJSON = true
      case "--report": isReport = true
      case "merge" where action == .serve && arguments.first == argument:
        action = .forward(["merge-files"] + rest)
        rest = []
      case "mcp" where action == .serve && arguments.first == argument:
        action = .forward(["mcp"] + rest)
        rest = []
      case "demo" where action == .serve && !isServing && !isForEditor: action = .demo
      case "doctor" where action == .serve && !isServing && !isForEditor: action = .doctor
      case "privacy" where action == .serve && !isServing && !isForEditor: action = .privacy
      case "serve" where action == .serve && !isServing && !isForEditor: isServing = true
      case "lsp" where action == .serve && !isServing && !isForEditor: isForEditor = true
      default: throw UsageError(message: Self.hint(for: argument))
      }
    }
    for (isGiven, option) in [(isJSON, "--json"), (isReport, "--report")] where isGiven && action != .doctor {
      throw Self.needsCommand(option, "doctor")
    }
    for (isGiven, option) in [(isOnSocket, "--socket"), (isInBackground, "--background")]
    where isGiven && !isServing {
      throw Self.needsCommand(option, "serve")
    }
    if isServing, !isOnSocket {
      throw UsageError(message: Localized("serve needs --socket", "serve 后需要 --socket"))
    }
    if isShared, isServing || [.demo, .doctor, .privacy].contains(action) {
      throw UsageError(
        message: Localized("--shared cannot be used with a command", "--shared 不能与命令一起使用"))
    }
    if isJSON, isReport {
      throw UsageError(message: Localized("use --json or --report, not both", "--json 和 --report 不能同时使用"))
    }
    if action == .demo, named != nil {
      throw UsageError(
        message: Localized(
          "demo uses its own vault and does not accept --vault", "demo 使用专用的保险库，不接受 --vault"))
    }
    guard let path = named ?? StandardVault.path(environment) else { throw Self.noHome }
    vault = path
    if action == .serve, isServing { action = .serveSocket }
    if action == .serve, isShared || isForEditor { action = .relay }
  }

  private static let optionsWithValue = ["--vault", "--helpers", "--pinentry"]

  private static func needsCommand(_ option: String, _ command: String) -> UsageError {
    UsageError(
      message: Localized("\(option) can only be used with \(command)", "\(option) 只能与 \(command) 一起使用"))
  }

  private static let noHome = UsageError(
    message: Localized(
      "there is no home directory to find the vault in; set HOME, or use --vault",
      "没有主目录，无法确定保险库的位置：请设置 HOME，或使用 --vault"))

  private static func hint(for argument: String) -> Localized {
    guard argument.hasPrefix("-") else {
      return Localized("unexpected argument: \(argument)", "多余的参数：\(argument)")
    }
    let known = [
      "--help", "--helpers", "--background", "--json", "--pinentry", "--report", "--shared", "--socket",
      "--version",
      "--vault", "--verbose",
    ]
    let close = known.first {
      $0.hasPrefix(argument) || argument.hasPrefix($0) || $0.dropFirst(2) == argument.drop { $0 == "-" }
    }
    return Localized(
      "unknown option: \(argument)" + (close.map { " (did you mean \($0)?)" } ?? ""),
      "未知选项：\(argument)" + (close.map { "（是否要用 \($0)？）" } ?? ""))
  }
}
