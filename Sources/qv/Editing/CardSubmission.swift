import VaultInterface
import Wire

/// Submits a form until the server accepts it, and asks again for invalid fields.
struct CardSubmission {
  private let invocation: Invocation
  private let editor: FormEditor?
  private let wasTyped: Bool

  /// - Parameters:
  ///   - editor: where what is wrong is corrected; nil to ask for it on the terminal.
  ///   - wasTyped: whether the form has what was typed in an editor or at its prompts, which giving up would lose. What `--conceal`
  ///     asks for is so in any case.
  init(_ invocation: Invocation, editor: FormEditor? = nil, wasTyped: Bool) {
    (self.invocation, self.editor) = (invocation, editor)
    self.wasTyped = wasTyped || invocation.arguments.has(.conceal)
  }

  /// - Parameters:
  ///   - onConflict: called with the card as another program has stored it; nil if it has deleted the card. Without it, a conflict
  ///     is a failure like any other.
  ///   - send: sends the request for a form.
  func store(
    _ form: inout CardForm, onConflict: ((CardJSON?) throws(Failure) -> Void)? = nil,
    _ send: (CardForm) throws(Failure) -> Answered<CardCreate>
  ) throws(Failure) {
    while true {
      let answer: Answered<CardCreate>
      do throws(Failure) {
        answer = try send(form)
      } catch {
        try tryAgain(after: error)
        continue
      }
      switch answer {
      case .success: return try Self.finish(answer, invocation)
      case .failure(let error) where error.kind == "card.invalid":
        guard Terminal.isInteractive else { return try Self.finish(answer, invocation) }
        try correct(&form, error.issues)
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

  private func correct(_ form: inout CardForm, _ issues: [IssueJSON]) throws(Failure) {
    if let editor { return form = try editor.edit(form, issues: issues.map(\.message.text)) }
    for issue in issues { invocation.terminal.show("! \(issue.message.text.oneLine)\n") }
    // An extra field has two parts, which are asked for together.
    var places: [String] = []
    for issue in issues {
      let place = String(issue.field.prefix { $0 != "." })
      if !places.contains(place) { places.append(place) }
    }
    // From the last, since an extra field without a value goes, and the others move.
    var isAsked = false
    for place in places.filter({ !$0.hasPrefix("extraFields") })
      + places.filter({ $0.hasPrefix("extraFields") }).reversed()
    {
      if try FormPrompts(invocation).ask(again: place, &form) { isAsked = true }
    }
    if !isAsked { try tryAgain(after: .exit(.invalid, [])) }
  }

  /// Prints the card that was stored, and warnings about it. An invalid card ends the command, with a line for each problem.
  static func finish(_ answer: Answered<CardCreate>, _ invocation: Invocation) throws(Failure) {
    if case .failure(let error) = answer, error.kind == "card.invalid", !error.issues.isEmpty {
      throw .exit(.invalid, error.issueLines)
    }
    let answer = try answer.getOrFail()
    try finish(answer.part("card", \.card), warnings: answer.warnings, invocation)
  }

  static func finish(_ card: Answer<CardJSON>, warnings: [IssueJSON], _ invocation: Invocation)
    throws(Failure)
  {
    for warning in warnings {
      invocation.terminal.show("\(warning.field): \(warning.message.text.oneLine)\n")
    }
    if try !invocation.showsJSON(card) { try invocation.output.line("\(card.id)") }
  }
}
