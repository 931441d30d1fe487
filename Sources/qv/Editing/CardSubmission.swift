import Glibc
import VaultInterface
import Wire

/// Submits a form until the server accepts it, and has invalid fields corrected.
struct CardSubmission<Form: TypedForm> {
  private let invocation: Invocation
  private let wasTyped: Bool
  private let correct: (inout Form, [IssueJSON]) throws(Failure) -> Bool

  /// - Parameters:
  ///   - wasTyped: whether the form has what was typed in an editor or at its prompts, which giving up would lose. What `--conceal`
  ///     asks for is so in any case.
  ///   - correct: has the user correct what is wrong. It returns false if that is not possible.
  init(
    _ invocation: Invocation, wasTyped: Bool,
    correct: @escaping (inout Form, [IssueJSON]) throws(Failure) -> Bool
  ) {
    (self.invocation, self.correct) = (invocation, correct)
    self.wasTyped = wasTyped || invocation.arguments.has(.conceal)
  }

  /// - Parameters:
  ///   - onConflict: called with the card as another program has stored it; nil if it has deleted the card. Without it, a conflict
  ///     is a failure like any other.
  ///   - send: sends the request for a form.
  /// - Returns: the stored card, which is printed.
  @discardableResult func store(
    _ form: inout Form, onConflict: ((CardJSON?) throws(Failure) -> Void)? = nil,
    _ send: (Form) throws(Failure) -> Answered<CardCreate>
  ) throws(Failure) -> CardJSON {
    while true {
      let answer: Answered<CardCreate>
      do throws(Failure) {
        answer = try send(form)
      } catch {
        try tryAgain(after: error)
        continue
      }
      switch answer {
      case .success: return try StoredCard.show(answer, invocation)
      case .failure(let error) where error.kind == "card.invalid":
        guard Terminal.isInteractive else { return try StoredCard.show(answer, invocation) }
        if try !correct(&form, error.issues) { try tryAgain(after: .exit(.invalid, [])) }
      case .failure(let error):
        switch (error.kind, onConflict) {
        case ("card.conflict", let onConflict?): try onConflict(.decoded(error.data["card"] ?? [:]))
        case ("card.notFound", let onConflict?) where Terminal.isInteractive: try onConflict(nil)
        default: try tryAgain(after: error.failure)
        }
      }
    }
  }

  /// Asks whether to try once more where giving up would lose what was typed.
  private func tryAgain(after failure: Failure) throws(Failure) {
    guard case .exit(let status, let lines) = failure, wasTyped, Terminal.isInteractive else {
      throw failure
    }
    for line in lines { CommandLineProgram.printError(line) }
    let question = invocation.text("Try again with what you typed? [Y/n]", "要用您输入的内容重试吗？[Y/n]")
    guard try invocation.terminal.confirm(question, defaultAnswer: true) else { throw .exit(status, []) }
  }
}

extension CardSubmission<CardForm> {
  /// Creates one that asks again for invalid fields on the terminal.
  init(_ invocation: Invocation, wasTyped: Bool) {
    self.init(invocation, wasTyped: wasTyped) { form, issues throws(Failure) in
      try FormPrompts(invocation).ask(again: issues, &form)
    }
  }
}

/// The answer to a request that stored a card.
enum StoredCard {
  /// Prints the card that was stored, and warnings about it. An invalid card ends the command, with a line for each problem.
  @discardableResult static func show(_ answer: Answered<CardCreate>, _ invocation: Invocation)
    throws(Failure)
    -> CardJSON
  {
    if case .failure(let error) = answer, error.kind == "card.invalid", !error.issues.isEmpty {
      throw .exit(.invalid, error.issueLines)
    }
    let answer = try answer.getOrFail()
    try show(answer.part("card", \.card), warnings: answer.warnings, invocation)
    return answer.card
  }

  static func show(_ card: Answer<CardJSON>, warnings: [IssueJSON], _ invocation: Invocation)
    throws(Failure)
  {
    for warning in warnings {
      invocation.terminal.show("\(warning.field): \(warning.message.text.oneLine)\n")
    }
    if try !invocation.showsJSON(card) { try invocation.output.line("\(card.id)") }
  }
}

/// The assignments to parts of a card on a command line.
struct Assignments {
  /// Words such as `taxId=9144…`.
  private let words: [(name: String, value: String)]
  private let invocation: Invocation

  /// - Parameter operands: words of the form `NAME=VALUE`.
  init(_ operands: [String], _ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    words = try operands.map { word throws(Failure) in
      guard let pair = Self.split(word) else { throw .unexpectedArgument(word) }
      return pair
    }
  }

  /// The name and value of a word; nil for a word without an equals sign after its first character.
  static func split(_ word: String) -> (name: String, value: String)? {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && !parts[0].isEmpty ? (parts[0], parts[1]) : nil
  }

  private var arguments: Arguments { invocation.arguments }

  var isEmpty: Bool {
    words.isEmpty && ![.title, .group, .tag, .extra, .conceal].contains { arguments.has($0) }
  }

  /// Whether fields were given, so that only what is missing is asked for.
  var hasFields: Bool { !words.isEmpty || arguments.has(.extra) || arguments.has(.conceal) }

  func names(_ key: String) -> Bool { words.contains { $0.name.foldedName == key.foldedName } }

  /// Writes them into a form.
  func apply(to form: inout CardForm) throws(Failure) {
    try refuseRepetition(form)
    for (name, value) in words {
      let text = value == "-" ? try readValue(name) : value
      // The server knows best what is wrong with a name of no field.
      if !form.set(name, text) {
        throw .exit(.invalid, Localized("there is no field \(name)", "没有字段“\(name)”"))
      }
    }
    if let title = arguments[.title] { form.title = title }
    if let group = arguments[.group] { form.setGroup(group) }
    try form.requireGroup()
    if arguments.has(.tag) { form.tags = arguments.all(.tag).flatMap { FormText.tags(in: $0) } }
    for word in arguments.all(.extra) {
      guard let (label, value) = Self.split(word) else { throw .needsValue("--extra") }
      form.setExtra(label, value)
    }
    for label in arguments.all(.conceal) { form.setExtra(label, try readConcealed(label), isConcealed: true) }
  }

  /// Refuses a part that is given twice, of which one value would be lost.
  private func refuseRepetition(_ form: CardForm) throws(Failure) {
    var seen: Set<String> = []
    let extras = arguments.all(.extra).compactMap { Self.split($0)?.name } + arguments.all(.conceal)
    let options = [Option.title, .group].flatMap { option in arguments.all(option).map { _ in option.name } }
    let parts =
      words.map { form.part(named: $0.name) } + options + extras.map { "extra \($0.foldedName)" }
      + (arguments.has(.tag) ? ["tags"] : [])
    let names = words.map(\.name) + options + extras + ["tags"]
    for (part, name) in zip(parts, names) where !seen.insert(part).inserted {
      throw .usage(Localized("\(name) is given twice", "“\(name)”给出了两次"))
    }
  }

  /// Reads a value from standard input.
  private func readValue(_ name: String) throws(Failure) -> String {
    try Descriptor.text(
      invocation.readInput(
        Localized("type \(name) and end it with Ctrl-D", "请输入“\(name)”，以 Ctrl-D 结束")))
  }

  /// Reads a concealed value from the terminal without echo, else a line of standard input.
  private func readConcealed(_ label: String) throws(Failure) -> String {
    if isatty(0) == 1 {
      guard
        let value = try LinePrompt.secret(
          label + invocation.text(": ", "："), keepsLines: true, on: invocation.terminal)
      else {
        throw .declined
      }
      return value
    }
    guard let line = try Descriptor.readLine(0) else {
      throw .usage(Localized("standard input has no value for \(label)", "标准输入中没有 \(label) 的内容"))
    }
    return line
  }
}
