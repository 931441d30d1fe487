import VaultInterface
import Wire

/// Finds the card that words on the command line name. The server decides which one that is; here is where it may guess.
enum CardReference {
  /// What becomes of the card.
  enum Use {
    /// It is shown with its title.
    case showing
    /// Something of it is read.
    case reading
    /// It is changed.
    case changing
    /// The command asks before it changes anything, or shows the card in an editor.
    case changingVisibly

    var isReading: Bool { self == .showing || self == .reading }
  }

  /// Returns the card without its values. A person is asked whether a guess is meant that would be changed.
  ///
  /// - Throws: ``ExitStatus/notFound``; ``ExitStatus/ambiguous``, with the candidates.
  static func resolve(_ name: String, for use: Use, _ invocation: Invocation) throws(Failure)
    -> Answer<CardJSON>
  {
    guard !name.isEmpty else { throw .usage(Localized("which card? Give its title or id", "请指定卡片：给出标题或编号")) }
    let guesses = invocation.mayGuess || use.isReading && invocation.arguments.has(.search)
    switch try invocation.vault.attempt(CardResolve(name: name, guesses: guesses)) {
    case .success(let answer):
      if !answer.isExact { try tell(answer.card, use, invocation) }
      return answer.part("card", \.card)
    case .failure(let error) where error.kind == "card.notFound":
      throw .exit(.notFound, notFound(name, use, guesses))
    case .failure(let error) where error.kind == "card.ambiguous":
      try show(error, name, invocation)
      throw .exit(.ambiguous, [])
    case .failure(let error): throw error.failure
    }
  }

  private static func tell(_ card: CardJSON, _ use: Use, _ invocation: Invocation) throws(Failure) {
    let title = card.title.oneLine
    switch use {
    case .showing, .changingVisibly: break
    case .reading: invocation.mention("this is “\(title)”", "这是“\(title)”")
    case .changing:
      try invocation.confirm(Localized("Do you mean “\(title)”? [y/N]", "您指的是“\(title)”吗？[y/N]"))
    }
  }

  private static func notFound(_ name: String, _ use: Use, _ guessed: Bool) -> [Localized] {
    if guessed { return [Localized("no card matches: \(name)", "没有匹配的卡片：\(name)")] }
    let message = Localized("no card has the title or id \(name)", "没有卡片的标题或编号是“\(name)”")
    let hint = Localized(
      "--search also takes a part of a title, or other words", "加 --search 也可使用标题的一部分或其他词语")
    return use.isReading ? [message, hint] : [message]
  }

  private static func show(_ error: RequestError, _ name: String, _ invocation: Invocation) throws(Failure) {
    let language = invocation.language
    if invocation.arguments.has(.json) { return invocation.terminal.show(error.data.text + "\n") }
    let cards = try [CardJSON].decoded(error.data["cards"] ?? [])
    let total = error.data["total"]?.integer ?? cards.count
    invocation.report("\(name) matches \(total) cards:", "“\(name)”匹配 \(total) 张卡片：")
    for card in cards {
      invocation.terminal.show("  \(card.id)  \(card.title.oneLine)\(card.kind(language))\n")
    }
    if cards.count < total { invocation.terminal.show("  …\n") }
  }
}

extension Invocation {
  /// Whether a person sees what a name is taken for, and can say no.
  var mayGuess: Bool { Terminal.isInteractive && output.isTerminal && !arguments.has(.yes) }
}

extension Vault {
  /// The whole card.
  func card(_ id: Identifier) throws(Failure) -> Answer<CardJSON> {
    try ask(CardGet(id: id)).part("card", \.card)
  }
}
