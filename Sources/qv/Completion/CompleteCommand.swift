import VaultInterface
import Wire

/// The command that shell completion runs: `qv complete -- WORD... BEGINNING`. Prints a candidate per line, with a tab and a
/// description; or `:files` or `:commands` for what a shell knows better. Never asks for a password, and starts nothing.
enum CompleteCommand {
  static let command = Command(
    name: "complete", summary: Localized("candidates for completion", "补全候选"),
    isHidden: true
  ) { invocation throws(Failure) in
    let position = CompletedWord(invocation.operands)
    switch position.candidates {
    case .files: try invocation.output.line(":files")
    case .commands: try invocation.output.line(":commands")
    default:
      let vault = UnlockedVault(position, invocation)
      for (word, description) in try candidates(position, vault, invocation) {
        guard word.foldedName.hasPrefix(position.beginning.foldedName) else { continue }
        try invocation.output.line("\(position.optionPart)\(word)\t\(description)")
      }
      vault.close()
    }
  }

  private typealias Candidate = (word: String, description: String)

  private static func candidates(_ position: CompletedWord, _ vault: UnlockedVault, _ invocation: Invocation)
    throws(Failure)
    -> [Candidate]
  {
    let language = invocation.language
    switch position.candidates {
    case .nothing, .files, .commands: return []
    case .qvCommands: return Command.shown.map { ($0.name, $0.summary[language]) }
    case .words(let words): return words.map { ($0, "") }
    case .groups: return CardGroup.allCases.map { ($0.rawValue, $0.name[language]) }
    case .types: return CardType.allCases.map { ($0.rawValue, $0.name[language]) }
    case .styles: return CopyStyle.allCases.map { ($0.rawValue, "") }
    case .formats: return ImportFormat.allCases.map { ($0.rawValue, "") }
    case .exportFormats: return ExportFormat.allCases.map { ($0.rawValue, "") }
    case .derivations: return ["pbkdf2", "argon2id"].map { ($0, "") }
    case .settings:
      return Setting.allCases.map { ("\($0.rawValue)=", $0.description.label[language]) }
    case .titles: return try vault.titles(position.beginning).map { ($0.title.oneLine, $0.about(language)) }
    case .tags: return try vault.ask(TagList())?.tags.map { ($0.tag.oneLine, String($0.count)) } ?? []
    case .devices: return try vault.ask(DeviceList())?.items.map { ($0.id.short, $0.name.oneLine) } ?? []
    case .attachments:
      return try vault.card(position.operands.first ?? "").map(\.attachments)?.map {
        ($0.name.oneLine, $0.description(language))
      } ?? []
    case .labels: return try labels(position, vault, language)
    case .assignments: return try labels(position, vault, language).map { ("\($0.word)=", $0.description) }
    }
  }

  /// The fields of the card on the command line, else those of all types.
  private static func labels(_ position: CompletedWord, _ vault: UnlockedVault, _ language: Language)
    throws(Failure)
    -> [Candidate]
  {
    let type = position.command?.name == "new" ? position.operands.first : nil
    if type == nil, let card = try vault.card(position.operands.first ?? "") {
      return (card.fields ?? []).map { ($0.key, $0.label.oneLine) }
        + (card.extraFields ?? []).map { ($0.label.oneLine, "") }
    }
    var seen: Set<String> = []
    return try (vault.ask(TemplateList())?.templates ?? [])
      .filter { type == nil || $0.type.rawValue == type }
      .flatMap(\.fields).map { ($0.key, $0.label[language]) }
      .filter { seen.insert($0.0).inserted }
  }
}

/// The word at the cursor, and what it can be.
struct CompletedWord {
  /// The part that was typed, without quotation marks, and without ``optionPart``.
  private(set) var beginning: String
  /// The option in the same word, such as `--group=`. bash splits there.
  private(set) var optionPart = ""
  private(set) var command: Command?
  /// The operands before it.
  private(set) var operands: [String] = []
  private(set) var candidates = Candidates.nothing
  /// The value of `--vault`.
  private(set) var vault: String?

  init(_ words: [String]) {
    beginning = Self.unquoted(words.last ?? "")
    var (expected, endsOptions): (Option?, Bool) = (nil, false)
    for word in words.dropLast().map(Self.unquoted) {
      // bash splits words at equals signs.
      if word == "=" { continue }
      if let option = expected {
        if option.name == Option.vault.name { vault = Self.path(word) }
        expected = nil
      } else if word == "--" {
        endsOptions = true
      } else if !endsOptions, word.hasPrefix("-"), word != "-" {
        let attached = Self.attached(word)
        if attached?.option == "--\(Option.vault.name)=" { vault = attached.map { Self.path($0.value) } }
        expected = option(word)
      } else if command == nil {
        command = Command.named(word)
      } else {
        operands.append(word)
      }
    }
    if expected == nil, !endsOptions, let (part, value) = Self.attached(beginning) {
      (optionPart, beginning) = (part, value)
      candidates = option(String(part.dropLast()))?.value ?? .nothing
    } else {
      candidates = expected?.value ?? candidatesOfWord(endsOptions)
    }
  }

  /// The option and the value of a word such as `--group=company`.
  private static func attached(_ word: String) -> (option: String, value: String)? {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return nil }
    return (String(word[...sign]), String(word[word.index(after: sign)...]))
  }

  /// A path as the shell will read it.
  private static func path(_ word: String) -> String {
    guard word.hasPrefix("~/"), let home = Environment["HOME"] else { return word }
    return home + word.dropFirst()
  }

  private func candidatesOfWord(_ endsOptions: Bool) -> Candidates {
    if !endsOptions, beginning.hasPrefix("-") {
      return .words((command?.allOptions ?? Option.common).map { "--\($0.name)" })
    }
    guard let command else { return .qvCommands }
    if operands.count < command.operands.count { return command.operands[operands.count] }
    return command.repeatsOperands ? command.operands.last ?? .nothing : .nothing
  }

  /// The option of a word, if its value is the next word.
  private func option(_ word: String) -> Option? {
    guard !word.contains("=") else { return nil }
    let name = String(word.drop { $0 == "-" })
    let options = command?.allOptions ?? Command.all.flatMap(\.allOptions)
    return options.first { ($0.name == name || $0.short.map(String.init) == name) && $0.value != nil }
  }

  /// A word as the shell will read it.
  private static func unquoted(_ word: String) -> String {
    var (result, quotation, isEscaped) = ("", nil as Character?, false)
    for character in word {
      if isEscaped {
        if quotation != nil, !"\\\"$`".contains(character) { result.append("\\") }
        result.append(character)
        isEscaped = false
      } else if character == "\\", quotation != "'" {
        isEscaped = true
      } else if character == quotation {
        quotation = nil
      } else if quotation == nil, character == "\"" || character == "'" {
        quotation = character
      } else {
        result.append(character)
      }
    }
    return result
  }
}

/// The unlocked vault, if a service runs and this terminal may use it.
private final class UnlockedVault {
  private let connection: VaultConnection?

  init(_ position: CompletedWord, _ invocation: Invocation) {
    // The shell is not held by a service that is stopped or busy.
    Signals.exitQuietly(afterSeconds: 3)
    guard let path = position.vault ?? (try? Vault.path(invocation.arguments)),
      let transport = Transport.running(vault: path)
    else {
      connection = nil
      return
    }
    connection = VaultConnection(transport)
    try? connection?.initialize()
  }

  func close() { connection?.close() }

  /// - Returns: nil without an answer.
  func ask<Request: VaultRequest>(_ request: Request) throws(Failure) -> Request.Response? {
    guard case .success(let answer)? = try connection?.send(Request.method, request.json) else { return nil }
    return try? .decoded(answer)
  }

  /// Cards whose titles may begin so.
  func titles(_ beginning: String) throws(Failure) -> [CardJSON] {
    // A phrase of a query ends at a quotation mark.
    let words = beginning.prefix { !"\"“”＂".contains($0) }
    let page = PageParameters(limit: 1000)
    if words.isEmpty { return try ask(CardList(page: page))?.items ?? [] }
    return try ask(CardSearch(query: "title:\"\(words)\"", page: page))?.items.map(\.card) ?? []
  }

  /// The card that is named, or may be meant.
  func card(_ name: String) throws(Failure) -> CardJSON? {
    guard let id = try ask(CardResolve(name: name, guesses: true))?.card.id else { return nil }
    return try ask(CardGet(id: id))?.card
  }
}

extension CardJSON {
  /// Type, group and the beginning of the id.
  fileprivate func about(_ language: Language) -> String {
    "\(type.name[language]), \(group.name[language]), \(shortID)"
  }
}
