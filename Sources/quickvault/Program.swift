import CResources
import CLinux
import Glibc
import Service
import VaultInterface
import Wire

/// The program from its arguments to its exit status.
enum Program {
  /// Exit statuses of sysexits(3).
  private static let usage: Int32 = 64
  static let systemRefused: Int32 = 71

  /// Runs the command.
  ///
  /// - Returns: the exit status.
  static func run() -> Int32 {
    let options: Options
    do {
      options = try Options(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: { ProcessEnvironment[$0] })
    } catch {
      printError(error.message)
      write(localized(Localized("Try 'quickvault --help'.", "请参见 quickvault --help。")) + "\n", to: 2)
      return usage
    }
    switch options.action {
    case .help: return say(localized(texts["quickvault"]) + "\n")
    case .version: return say("quickvault \(Server.version)\n")
    case .privacy: return say(localized(texts["privacy"]) + "\n")
    case .doctor: return examine(options)
    case .forward(let arguments): return become(arguments)
    case .serve, .demo: return serve(options)
    case .serveSocket: return serveSocket(options)
    case .relay: return relay(options)
    }
  }

  /// Serves the vault until the conversation ends. At lock the process replaces itself and this does not return.
  private static func serve(_ options: Options) -> Int32 {
    umask(0o077)
    linux_return_freed_memory()
    let unprotected = Hardening.apply()
    var handoffState = Reexec.inherited()
    let starter = handoffState.map(\.starter) ?? beginStarter(options)
    let unrestricted = handoffState == nil ? enterSandbox(options) : []
    if handoffState == nil, options.action == .demo {
      printError(
        Localized(
          "a demo vault with sample cards, deleted when you quit; its password is \"demo demo\"",
          "这是带示例卡片的演示保险库，退出时自动删除；密码是“demo demo”"))
    }
    if handoffState == nil, isatty(0) == 1 {
      printError(
        Localized(
          "waiting for JSON-RPC on standard input; see 'quickvault --help', press Ctrl-D to quit",
          "正在等待标准输入中的 JSON-RPC 消息；用法见 quickvault --help，按 Ctrl-D 退出"))
    }
    let configuration = configuration(options, vault: options.vault, starter, unprotected)
    do {
      let descriptors = try Descriptors(waiting: handoffState != nil)
      try Threads.requireEnough(waiting: handoffState != nil)
      if options.isVerbose {
        for failure in unprotected { printError("not protected: \(failure)") }
        for failure in unrestricted { printError("not sandboxed: \(failure)") }
      }
      let server = try Server(
        configuration, .pipes(input: descriptors.input, output: descriptors.output),
        resuming: handoffState.take() ?? HandoffState())
      try server.handleSignals()
      switch server.run() {
      case .ended(let status, let message):
        if let message { printError(message) }
        return status
      case .handedOff(var handoffState):
        handoffState.starter = starter
        let error = Reexec.replaceProcess(with: handoffState, descriptors)
        Server.logFailure(error, configuration)
        printError("cannot continue after locking: \(error)")
        return systemRefused
      }
    } catch {
      Server.logFailure(error, configuration)
      printError("\(error)")
      return systemRefused
    }
  }

  /// The configuration of a server.
  ///
  /// - Parameters:
  ///   - starter: the descriptor of the process that starts the carrier.
  ///   - unprotected: what could not be protected.
  static func configuration(
    _ options: Options, vault: String, _ starter: Int32?, _ unprotected: [SystemError]
  ) -> Server.Configuration {
    Server.Configuration(
      vault: vault, locale: locale, log: options.isVerbose ? printError : nil,
      memoryIsLocked: unprotected.isEmpty, helpers: options.helpers, pinentry: options.pinentry,
      starter: starter,
      stateDirectory: stateDirectory,
      beginsWithDemo: options.action == .demo, demoDirectories: demoDirectories, longestTurn: 20)
  }

  /// Runs `quickvault doctor`.
  ///
  /// - Returns: 0 if there is no problem.
  private static func examine(_ options: Options) -> Int32 {
    do {
      try Descriptors.requireEnough(waiting: false)
    } catch {
      printError("\(error)")
      return systemRefused
    }
    let unprotected = Hardening.apply()
    let unrestricted = enterSandbox(options)
    signal(SIGPIPE, SIG_IGN)  // a helper may end before it reads
    let report = Doctor(
      vault: options.vault, helpers: options.helpers,
      isProtected: unprotected.allSatisfy { $0.call == "mlockall" },
      missingRestrictions: unrestricted.map(\.call),
      environment: { options.isReport && $0 == "USER" ? nil : ProcessEnvironment[$0] }
    ).examine()
    let status =
      if options.isReport {
        say(report.bugReport(errors: stateDirectory, home: ProcessEnvironment["HOME"], locale: locale))
      } else {
        say(options.isJSON ? report.json : report.text(locale: locale))
      }
    return status == 0 && !report.hasNoProblems ? 1 : status
  }

  /// Replaces the process by qv.
  private static func become(_ arguments: [String]) -> Int32 {
    let path = Executables.ownPath ?? ""
    let qv = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/qv"
    unsafe ArgumentVector.with([qv] + arguments) { _ = unsafe execv(qv, $0) }
    printError("\(qv): \(SystemError("execve"))")
    return systemRefused
  }

  /// Where the error log and the state of vaults are, by the XDG Base Directory Specification; nil without a home directory.
  static var stateDirectory: String? {
    let base = ProcessEnvironment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = StandardVault.homeDirectory { ProcessEnvironment[$0] }.map { $0 + "/.local/state" }
    return (base ?? home).map { $0 + "/quickvault" }
  }

  /// Starts the process that starts the carrier with the network, which this one is about to give up.
  ///
  /// - Returns: its descriptor; nil if the carrier is not installed, or the process cannot be started.
  static func beginStarter(_ options: Options) -> Int32? {
    guard options.action != .demo, let carrier = ProgramDirectory(override: options.helpers).carrier,
      (try? Descriptors.fillStandardDescriptors()) != nil
    else { return nil }
    let descriptor = unsafe ArgumentVector.with(carrier) { unsafe linux_starter_begin($0) }
    return descriptor < 0 ? nil : descriptor
  }

  static func enterSandbox(_ options: Options) -> [SystemError] {
    let helpers = ProgramDirectory(override: options.helpers).executables
    return Sandbox.enter(allowing: helpers + PinentryProgram.paths(options.pinentry))
  }

  /// The directories for a demo vault, the best first: in memory if possible, and private.
  private static var demoDirectories: [String] {
    [ProcessEnvironment["XDG_RUNTIME_DIR"], "/dev/shm", ProcessEnvironment["TMPDIR"], "/tmp"].compactMap {
      $0
    }
    .filter { $0.hasPrefix("/") }
  }

  static var locale: String {
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { ProcessEnvironment[$0] }.first { !$0.isEmpty } ?? "C"
  }

  /// Prints on standard output.
  ///
  /// - Returns: the exit status.
  private static func say(_ text: String) -> Int32 {
    if write(text, to: 1) { return 0 }
    let error = SystemError("write")
    // A reader that has seen enough need not be told.
    if error.number != EPIPE { printError("\(error)") }
    return systemRefused
  }

  /// What `--help` and `privacy` print.
  private static let texts = unsafe LocalizedTexts(
    english: String(resource: quickvault_quickvault_help_en(), quickvault_quickvault_help_en_count()),
    simplifiedChinese: String(
      resource: quickvault_quickvault_help_zh(), quickvault_quickvault_help_zh_count()))

  static func localized(_ text: Localized) -> String { text[Language(locale: locale)] }

  static func printError(_ text: Localized) { printError(localized(text)) }

  static func printError(_ text: String) {
    write("quickvault: \(text)\n", to: 2)
  }

  /// - Returns: whether all was written; else `errno` tells why.
  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var position = 0
      while position < bytes.count {
        let rest = unsafe UnsafeBufferPointer(rebasing: bytes[position...])
        let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        guard written > 0 else { return false }
        position += written
      }
      return true
    }
  }
}
