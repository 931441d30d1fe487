import Glibc
import VaultInterface

/// A parameter with a password, for which a pinentry can ask.
struct PinentryPrompt: Sendable {
  enum Purpose: Sendable {
    /// A password that the vault has.
    case current
    /// A new password, which is asked for twice.
    case new
    /// The second time.
    case repetition
    /// That of a copy of the vault.
    case ofCopy
  }

  let parameter: String
  let purpose: Purpose
}

extension [PinentryPrompt] {
  static var password: Self { [PinentryPrompt(parameter: "password", purpose: .current)] }

  /// The password of the vault, and the one that replaces it.
  static var changed: Self {
    [
      PinentryPrompt(parameter: "oldPassword", purpose: .current),
      PinentryPrompt(parameter: "newPassword", purpose: .new),
    ]
  }
}

extension PinentryPrompt.Purpose {
  /// What the user is asked, and which program has it asked.
  ///
  /// - Parameters:
  ///   - vault: the name of the vault's file.
  ///   - program: the one that asks; nil for the one that started this process.
  func description(of vault: String, for program: ClientProgram?) -> Localized {
    let question = question(of: vault)
    guard let name = program?.described else { return question }
    return Localized(
      "\(question.english)\n\nAsked for by \(name.english).",
      "\(question.simplifiedChinese)\n\n由\(name.simplifiedChinese)请求。")
  }

  private func question(of vault: String) -> Localized {
    switch self {
    case .current:
      Localized("Enter the master password of the vault \(vault).", "请输入保险库 \(vault) 的主密码。")
    case .new:
      Localized("Choose a master password for the vault \(vault).", "请为保险库 \(vault) 设置主密码。")
    case .ofCopy: Localized("Enter the master password of the other copy.", "请输入另一份副本的主密码。")
    case .repetition: Localized("Enter the new master password again.", "请再次输入新的主密码。")
    }
  }
}

/// The client's display and terminal, on which a pinentry can ask.
struct PinentryEnvironment: Sendable {
  /// How long the user may take, in seconds.
  static let timeoutSeconds = 180
  private static let programs = [
    "/usr/bin/pinentry", "/usr/local/bin/pinentry", "/usr/bin/pinentry-curses", "/usr/bin/pinentry-tty",
  ]

  /// The variables of the greeting, and the terminal as `tty`.
  let variables: [String: String]
  let locale: String

  var isEmpty: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "tty"].allSatisfy { variables[$0, default: ""].isEmpty }
  }

  /// The programs that may be executed.
  ///
  /// - Parameter chosen: that of the command line; nil for the usual ones.
  static func programs(_ chosen: String?) -> [String] { chosen.map { [$0] } ?? programs }

  /// The program that asks; nil if none is installed.
  static func program(_ chosen: String?) -> String? {
    programs(chosen).first { unsafe access($0, X_OK) == 0 }
  }

  /// The whole environment of the program.
  var environment: [String: String] {
    var environment = variables
    environment["tty"] = nil
    environment["PATH"] = "/usr/bin:/bin"
    environment["LC_ALL"] = locale
    return environment.merging(WorkerProcesses.environment(["HOME", "XDG_RUNTIME_DIR"], prefixes: [])) {
      own, _ in own
    }
  }
}

/// Why a pinentry gave no password.
enum PinentryError: NamedError, Hashable {
  static let area = "pinentry"

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

/// The settings of a terminal, such as whether it shows what is typed. A pinentry that is killed leaves its own.
struct TerminalSettings {
  private let path: String
  private var settings = termios()

  /// Reads the settings; nil if the path is not that of a terminal.
  init?(of path: String) {
    self.path = path
    guard path.hasPrefix("/dev/"), let descriptor = Self.open(path) else { return nil }
    defer { close(descriptor) }
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
  }

  /// Sets them again.
  func restore() {
    guard let descriptor = Self.open(path) else { return }
    defer { close(descriptor) }
    // A process in the background of this terminal would be stopped.
    var (blocked, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    var settings = settings
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func open(_ path: String) -> Int32? {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    return descriptor < 0 ? nil : descriptor
  }
}
