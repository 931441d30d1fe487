import Glibc
import Vault
import VaultInterface
import Wire

/// One password from a pinentry, on the loop's thread: commands and answers of the Assuan protocol, line by line.
final class PinentryConversation: @unchecked Sendable {
  private static let lineLimit = 4_096
  /// Error codes of libgpg-error, in the lower half of the number that is answered.
  private static let (timeout, cancelled, fullyCancelled, noTerminal) = (62, 99, 198, 32_870)
  private static let notConfirmed = 114

  private var process: WorkerProcess?
  private var continuation: CheckedContinuation<String, any Error>?
  private var timer: (any EventLoop.Timer)?
  private var line: [UInt8] = []
  private var password: [UInt8] = []
  private var commands: ArraySlice<String> = []
  /// The command that asks.
  private let question: String
  private var isAsking = false
  private var terminal: TerminalSettings?

  /// - Parameter question: `GETPIN` for a password, or `CONFIRM` for a yes, which is an empty text.
  init(_ question: String = "GETPIN") { self.question = question }

  /// Starts the program and asks.
  ///
  /// - Parameter continuation: is resumed once, with the password or an error.
  func begin(
    _ program: String, _ commands: [String], in pinentryEnvironment: PinentryEnvironment,
    _ workers: WorkerProcesses,
    _ makeTimer: (@escaping @Sendable () -> Void) throws -> any EventLoop.Timer,
    _ continuation: CheckedContinuation<String, any Error>
  ) {
    self.continuation = continuation
    self.commands = commands[...]
    terminal = pinentryEnvironment.variables["tty"].flatMap(TerminalSettings.init)
    do {
      timer = try makeTimer { [weak self] in self?.end(.failure(PinentryError.timedOut)) }
      timer?.set(after: .seconds(PinentryEnvironment.timeoutSeconds + 5))
      process = try workers.start(
        at: program, environment: pinentryEnvironment.environment,
        WorkerProcess.Actions(
          readable: { [weak self] in self?.read() },
          ended: { [weak self] _ in self?.end(.failure(PinentryError.failed)) }))
    } catch {
      end(.failure(PinentryError.failed))
    }
  }

  /// Ends it without a password.
  func fail(_ error: any Error) { end(.failure(error)) }

  private func read() {
    guard let process, let piece = PrivateBytes(capacity: Self.lineLimit) else { return }
    guard process.read(into: piece) > 0 else { return }
    piece.withSpan { span in unsafe span.withUnsafeBytes { unsafe line.append(contentsOf: $0) } }
    while continuation != nil, let end = line.firstIndex(of: 0x0A) {
      let whole = Array(line[..<end])
      line.removeFirst(end + 1)
      receive(whole)
    }
    if line.count > Self.lineLimit { end(.failure(PinentryError.failed)) }
  }

  private func receive(_ line: [UInt8]) {
    if line.starts(with: "D ".utf8) {
      password += line.dropFirst(2).percentDecoded ?? Array(line.dropFirst(2))
    } else if line == Array("OK".utf8) || line.starts(with: "OK ".utf8) {
      if isAsking { end(Self.result(password)) } else { sendNext() }
    } else if line.starts(with: "ERR ".utf8) {
      // Programs do not know all options.
      if isAsking { end(.failure(Self.error(line.dropFirst(4)))) } else { sendNext() }
    }
  }

  private func sendNext() {
    isAsking = commands.isEmpty
    let command = commands.popFirst() ?? question
    let bytes = Array((command + "\n").utf8)
    guard let copy = PrivateBytes(capacity: bytes.count) else { return end(.failure(PinentryError.failed)) }
    copy.append(bytes)
    process?.write(copy)
  }

  private static func result(_ password: [UInt8]) -> Result<String, any Error> {
    guard let text = String(validating: password, as: UTF8.self) else {
      return .failure(PinentryError.failed)
    }
    return .success(text)
  }

  private static func error(_ line: ArraySlice<UInt8>) -> PinentryError {
    let digits = line.prefix { 0x30...0x39 ~= $0 }
    switch Int(String(decoding: digits, as: UTF8.self)).map({ $0 & 0xFFFF }) {
    case cancelled, fullyCancelled, notConfirmed: return .cancelled
    case timeout: return .timedOut
    // A program for displays has none, and would go on in a terminal.
    case noTerminal: return .noTerminal
    default: return .failed
    }
  }

  private func end(_ outcome: Result<String, any Error>) {
    guard let continuation else { return }
    self.continuation = nil
    process?.terminate()
    process = nil
    terminal?.restore()
    timer?.cancel()
    timer = nil
    (line, password) = ([], [])
    continuation.resume(with: outcome)
  }

  /// A text as a command's argument.
  static func encoded(_ text: String) -> String {
    String(
      decoding: text.utf8.flatMap { byte -> [UInt8] in
        guard byte < 0x20 || byte == 0x25 || byte == 0x7F else { return [byte] }
        let digits = String(byte, radix: 16, uppercase: true)
        return Array((byte < 16 ? "%0" : "%").utf8) + Array(digits.utf8)
      }, as: UTF8.self)
  }

  /// The commands before the question.
  ///
  /// - Parameter error: what was wrong with the last answer, if anything.
  static func commands(
    _ pinentryEnvironment: PinentryEnvironment, description: Localized, error: Localized?,
    in language: Language
  ) -> [String] {
    var commands = [
      "OPTION lc-ctype=\(encoded(pinentryEnvironment.locale))",
      "OPTION lc-messages=\(encoded(pinentryEnvironment.locale))",
      "SETTIMEOUT \(PinentryEnvironment.timeoutSeconds)",
      "SETTITLE \(encoded(Localized("QuickVault", "随取")[language]))",
      "SETDESC \(encoded(description[language]))",
      "SETPROMPT \(encoded(Localized("Password:", "密码：")[language]))",
      "SETOK \(encoded(Localized("_OK", "确定(_O)")[language]))",
      "SETCANCEL \(encoded(Localized("_Cancel", "取消(_C)")[language]))",
    ]
    if let terminal = pinentryEnvironment.variables["tty"] {
      commands.append("OPTION ttyname=\(encoded(terminal))")
      commands.append("OPTION ttytype=\(encoded(pinentryEnvironment.variables["TERM"] ?? "vt100"))")
    }
    if let error { commands.append("SETERROR \(encoded(error[language]))") }
    return commands
  }
}
