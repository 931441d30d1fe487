import Glibc
import JSON
import VaultModel

/// A command that runs: its arguments, its output and the vault.
final class Invocation {
  let arguments: Arguments
  let language = Environment.language
  let output = Output()
  /// The terminal for messages and questions.
  let terminal = Terminal.standard
  /// The vault, if the command has used it.
  private(set) var openedVault: Vault?

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  var vault: Vault {
    if let openedVault { return openedVault }
    let vault = Vault(self)
    openedVault = vault
    return vault
  }

  var operands: [String] { arguments.operands }

  /// The operands as one text: words need no quotation marks.
  var words: String { operands.joined(separator: " ") }

  func text(_ english: String, _ chinese: String) -> String { Localized(english, chinese)[language] }

  /// Prints a message on standard error.
  func report(_ english: String, _ chinese: String) { report(text(english, chinese)) }

  func report(_ message: String) { terminal.show(Terminal.line(message)) }

  /// Prints a message that is of use only to a person.
  func mention(_ english: String, _ chinese: String) {
    if Terminal.showsMessages { report(english, chinese) }
  }

  /// Asks for confirmation unless `--yes` was given.
  ///
  /// - Throws: ``Failure/declined``, or ``Failure/needsYes`` without a terminal.
  func confirm(_ question: Localized) throws(Failure) {
    if arguments.has(.yes) { return }
    guard Terminal.isInteractive else { throw .needsYes }
    guard try terminal.confirm(question[language]) else { throw .declined }
  }

  /// Reads standard input to its end; on a terminal, to Ctrl-D.
  ///
  /// - Parameters:
  ///   - hint: what to type on a terminal.
  ///   - limit: the number of bytes after which reading stops, unless it is typed.
  func readInput(_ hint: Localized? = nil, upTo limit: Int = .max) throws(Failure) -> [UInt8] {
    guard isatty(0) == 1 else { return try Descriptor.read(0, upTo: limit) }
    let prompt = hint.map { Terminal.line($0[language]) } ?? ""
    return try LineReader.lines(prompt, on: terminal).flatMap { Array("\($0)\n".utf8) }
  }

  /// Asks for a line, which begins as `current`.
  ///
  /// - Parameter keepsLines: whether what is pasted keeps the ends of its lines; otherwise they become spaces.
  func readLine(_ prompt: String, current: String = "", keepsLines: Bool = false) throws(Failure) -> String {
    guard
      let line = try LineReader.line(prompt, current: current, keepsLines: keepsLines, on: terminal)
    else { throw .declined }
    return line
  }

  /// Prints the member `failure` of a status, if there is one: synchronisation and passes are retried.
  func showFailure(of status: JSON) throws(Failure) {
    guard let failure = status["failure"] else { return }
    let since = LocalTime.text(failure["since"]?.string ?? "")
    let message = (failure["message"]?.string ?? "").oneLine
    try output.line(text("failing since \(since): \(message)", "自 \(since) 起失败：\(message)"))
  }

  /// Says when the folder was last mirrored to the server, and since when that fails.
  func showMirrorStatus(_ status: JSON) throws(Failure) {
    let mirrored = status["lastMirrored"]?.string.map { LocalTime.text($0) }
    try output.line(
      mirrored.map { text("mirrored: \($0)", "上次传送：\($0)") } ?? text("not mirrored yet", "尚未传送"))
    if let percentage = status["percentage"]?.integer {
      try output.line(text("mirroring now: \(percentage) %", "正在传送：\(percentage)%"))
    }
    try showFailure(of: status)
  }

  /// Prints a list as JSON, if that is wanted: an object with `items`, as the pages of the protocol are.
  func showsJSON(items: [JSON]) throws(Failure) -> Bool { try showsJSON(["items": .array(items)]) }

  func showsJSON(_ value: JSON) throws(Failure) -> Bool {
    guard arguments.has(.json) else { return false }
    try output.json(value)
    return true
  }
}
