import Glibc
import VaultInterface
import Wire

/// A command that runs: its arguments, its output and the vault.
final class Invocation {
  let arguments: Arguments
  let language = Environment.language
  let output = Output()
  /// The terminal for messages and questions.
  let terminal = Terminal.standard
  /// The vault, if the command has used it.
  private(set) var openedVault: Vault?

  init(_ arguments: Arguments) { self.arguments = arguments }

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

  /// Asks a person for confirmation unless `--yes` was given. A script is not asked.
  func confirmAtTerminal(_ question: Localized) throws(Failure) {
    if Terminal.isInteractive { try confirm(question) }
  }

  /// Asks a person for a line.
  ///
  /// - Throws: ``Failure/declined`` for an empty one.
  func answer(_ prompt: Localized, current: String = "") throws(Failure) -> String {
    let line = try readLine(prompt[language], current: current).trimmed
    guard !line.isEmpty else { throw .declined }
    return line
  }

  /// Asks a person for the path of a file or folder, in which `~/` is the home directory.
  func answerPath(_ prompt: Localized) throws(Failure) -> String {
    let path = try answer(prompt)
    guard path.hasPrefix("~/"), let home = StandardVault.homeDirectory({ Environment[$0] }) else {
      return path
    }
    return home + path.dropFirst()
  }

  /// The first operand, a file. A person is asked for it.
  func file(_ prompt: Localized) throws(Failure) -> String {
    if let file = operands.first { return file }
    guard Terminal.isInteractive else { throw .whichFile }
    return try answerPath(prompt)
  }

  /// Asks a person to choose one of several.
  ///
  /// - Returns: its index.
  /// - Throws: ``Failure/declined`` for an empty answer.
  func choose(_ question: Localized, _ names: [String]) throws(Failure) -> Int {
    for (index, name) in names.enumerated() { terminal.show("  \(index + 1)  \(name.oneLine)\n") }
    while true {
      let number = Int(try answer(question))
      if let number, names.indices.contains(number - 1) { return number - 1 }
      report("give a number from 1 to \(names.count)", "请给出 1 到 \(names.count) 的编号")
    }
  }

  /// Asks a person to choose one of several like ``choose(_:_:)``.
  ///
  /// - Returns: nil without a terminal, and if there is nothing to choose from.
  func chooseAtTerminal(_ question: Localized, _ names: [String]) throws(Failure) -> Int? {
    Terminal.isInteractive && !names.isEmpty ? try choose(question, names) : nil
  }

  /// Prints lines. On a terminal they are broken at words; what follows of one that is indented is indented more.
  func printLines(_ lines: [String]) throws(Failure) {
    for line in lines {
      guard let width = output.width else {
        try output.line(line)
        continue
      }
      let indentation = line.prefix { $0 == " " }.count
      let parts = line.wrapped(at: width, first: indentation, others: indentation == 0 ? 0 : indentation + 2)
      for part in parts { try output.line(part) }
    }
  }

  /// Prints a text. On a terminal that is too narrow for its lines, those of a paragraph are broken anew; those of the first one, and
  /// indented ones, stay.
  func printText(_ text: String) throws(Failure) {
    let lines = text.lines
    guard let width = output.width, lines.contains(where: { $0.displayWidth > width }) else {
      return try printLines(lines)
    }
    var (joined, isFirst) = ([String](), true)
    for line in lines {
      if line.isEmpty { isFirst = false }
      if !isFirst, let last = joined.last, ![last, line].contains(where: { $0.isEmpty || $0.hasPrefix(" ") })
      {
        joined[joined.count - 1] = last.joined(to: line)
      } else {
        joined.append(line)
      }
    }
    try printLines(joined)
  }

  /// Reads standard input to its end; on a terminal, to Ctrl-D.
  ///
  /// - Parameters:
  ///   - hint: what to type on a terminal.
  ///   - limit: the number of bytes after which reading stops, unless it is typed.
  func readInput(_ hint: Localized? = nil, upTo limit: Int = .max) throws(Failure) -> [UInt8] {
    guard isatty(0) == 1 else { return try Descriptor.read(0, upTo: limit) }
    let prompt = hint.map { Terminal.line($0[language]) } ?? ""
    return try LinePrompt.lines(prompt, on: terminal).flatMap { Array("\($0)\n".utf8) }
  }

  /// Asks for a line, which begins as `current`.
  ///
  /// - Parameter keepsLines: whether what is pasted keeps the ends of its lines; otherwise they become spaces.
  func readLine(_ prompt: String, current: String = "", keepsLines: Bool = false) throws(Failure) -> String {
    guard
      let line = try LinePrompt.line(prompt, current: current, keepsLines: keepsLines, on: terminal)
    else { throw .declined }
    return line
  }

  /// Says since when synchronisation or a pass fails, if it does: they are retried.
  func show(_ failure: SyncResponse.Failure?) throws(Failure) {
    guard let failure else { return }
    let (since, message) = (failure.since.local, failure.message.text.oneLine)
    try output.line(text("failing since \(since): \(message)", "自 \(since) 起失败：\(message)"))
  }

  /// Says when the folder was last mirrored to the server, and since when that fails.
  func show(_ mirror: SyncResponse.MirrorStatus) throws(Failure) {
    try output.line(
      mirror.lastMirrored.map { text("mirrored: \($0.local)", "上次传送：\($0.local)") }
        ?? text("not mirrored yet", "尚未传送"))
    if let percentage = mirror.percentage {
      try output.line(text("mirroring now: \(percentage) %", "正在传送：\(percentage)%"))
    }
    try show(mirror.failure)
  }

  /// Prints a list as JSON, if that is wanted: an object with `items`, as the pages of the protocol are.
  func showsJSON(items: JSON?) throws(Failure) -> Bool { try showsJSON(["items": items ?? []]) }

  func showsJSON<Value>(_ answer: Answer<Value>) throws(Failure) -> Bool { try showsJSON(answer.json) }

  func showsJSON(_ value: JSON) throws(Failure) -> Bool {
    guard arguments.has(.json) else { return false }
    try output.json(value)
    return true
  }
}
