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
