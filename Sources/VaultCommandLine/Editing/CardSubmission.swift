import JSON
import VaultModel

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
  ///   - request: the request for a form; nil if there is nothing to change.
  func store(
    _ form: inout CardForm, onConflict: ((Card?) throws(Failure) -> Void)? = nil,
    _ request: (CardForm) -> (method: String, parameters: JSON)?
  ) throws(Failure) {
    while true {
      guard let request = request(form) else { throw .declined }
      let answer: Result<JSON, VaultError>
      do throws(Failure) {
        answer = try invocation.vault.attempt(request.method, request.parameters, announces: true)
      } catch {
        try tryAgain(after: error)
        continue
      }
      switch answer {
      case .success(let result): return try Self.finish(result, invocation)
      case .failure(let error) where error.kind == "card.invalid": try correct(&form, error, answer)
      case .failure(let error):
        switch (error.kind, onConflict) {
        case ("card.conflict", let onConflict?): try onConflict(Card(error.data["card"] ?? [:]))
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

  private func correct(_ form: inout CardForm, _ error: VaultError, _ answer: Result<JSON, VaultError>)
    throws(Failure)
  {
    guard Terminal.isInteractive else { return _ = try answer.getOrFailWithIssues() }
    let issues = error.issues
    if let editor { return form = try editor.edit(form, issues: issues.map(\.message)) }
    for (_, message) in issues { invocation.terminal.show("! \(message.oneLine)\n") }
    // An extra field has two parts, which are asked for together.
    var places: [String] = []
    for (part, _) in issues {
      let place = String(part.prefix { $0 != "." })
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

  /// Prints the card that was stored, and warnings about it.
  static func finish(_ answer: JSON, _ invocation: Invocation) throws(Failure) {
    for warning in answer["warnings"]?.elements ?? [] {
      invocation.terminal.show(
        "\(warning["field"]?.string ?? ""): \((warning["message"]?.string ?? "").oneLine)\n")
    }
    let card = answer["card"] ?? [:]
    if try invocation.showsJSON(card) { return }
    try invocation.output.line(card["id"]?.string ?? "")
  }
}
