/// What the command line and the environment ask for.
struct Options {
  /// What the program is to do.
  enum Action: Equatable {
    /// Hold a conversation.
    case serve
    /// Hold a conversation about a new demo vault.
    case demo
    /// Look at the surroundings, and print what is there and what is amiss.
    case doctor
    /// Print the help.
    case help
    /// Print the version.
    case version
  }

  /// A command line that cannot be followed, and what to try instead.
  struct Misuse: Error {
    let message: String
  }

  /// What to do.
  var action = Action.serve
  /// The vault's path, absolute or relative to the working directory.
  var vault: String
  /// Where the programs are that this one starts; nil for beside it and in `../libexec/quickvault`.
  var helpers: String?
  /// Whether the doctor speaks JSON.
  var isJSON = false
  /// Whether to tell on standard error what is being done.
  var isVerbose = false

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``Misuse`` at the first argument that means nothing.
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
          throw Misuse(message: "--vault needs a path")
        }
        named = path
      case "--helpers":
        guard let path = parts.count > 1 ? parts.last : rest.popFirst(), !path.isEmpty else {
          throw Misuse(message: "--helpers needs a directory")
        }
        helpers = path
      case "--json": isJSON = true
      case "demo" where action == .serve: action = .demo
      case "doctor" where action == .serve: action = .doctor
      default: throw Misuse(message: Self.hint(for: argument))
      }
    }
    if isJSON, action != .doctor { throw Misuse(message: "--json goes with doctor") }
    if action == .demo, named != nil {
      throw Misuse(message: "demo has a vault of its own, and takes no --vault")
    }
    vault = named ?? Self.defaultVault(environment)
  }

  /// `QUICKVAULT_VAULT`, else the place that the XDG Base Directory Specification gives to such files.
  private static func defaultVault(_ environment: (String) -> String?) -> String {
    if let path = environment("QUICKVAULT_VAULT"), !path.isEmpty { return path }
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return "\(data)/quickvault/vault.quickvault"
    }
    return "\(environment("HOME") ?? ".")/.local/share/quickvault/vault.quickvault"
  }

  private static func hint(for argument: String) -> String {
    guard argument.hasPrefix("-") else { return "unexpected argument: \(argument)" }
    let known = ["--help", "--helpers", "--json", "--version", "--vault", "--verbose"]
    let close = known.first {
      $0.hasPrefix(argument) || argument.hasPrefix($0) || $0.dropFirst(2) == argument.drop { $0 == "-" }
    }
    return "unknown option: \(argument)" + (close.map { " (did you mean \($0)?)" } ?? "")
  }
}

/// What `--help` prints.
let help = """
  quickvault - an encrypted vault for the facts that you paste all day

  Usage: quickvault [--vault PATH] [--helpers DIRECTORY] [--verbose]
         quickvault demo [--helpers DIRECTORY] [--verbose]
         quickvault doctor [--json] [--vault PATH] [--helpers DIRECTORY]

  Speaks JSON-RPC 2.0 on standard input and output: one message a line, or framed by
  Content-Length headers as language servers are; the first byte tells which.

  Commands:
    demo           the conversation is about a new vault with sample cards, which is gone
                   at its end; its password is "demo demo", to try locking with
    doctor         print what is there and what is amiss, and what to do about it;
                   with --json as JSON

  Options:
    --vault PATH   the vault's file; else $QUICKVAULT_VAULT, else
                   $XDG_DATA_HOME/quickvault/vault.quickvault, where XDG_DATA_HOME
                   is ~/.local/share unless it is set
    --helpers DIRECTORY
                   where quickvault-imaging and the other programs are that this one
                   starts; else beside it and in ../libexec/quickvault from there
    -v, --verbose  tell on standard error which methods are called and how they end;
                   never their parameters or results
    -h, --help     print this
    -V, --version  print the version

  Exit status: 0 after a clean end, 1 after a broken conversation, 64 when it was
  called wrongly, 71 when the system refuses what it needs. The doctor's is 0 when
  all is well and 1 when something is amiss.

  An example:
    printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"vault/status"}' | quickvault

  The methods: {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}

  """
