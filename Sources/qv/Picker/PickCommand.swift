import VaultInterface
import Wire

enum PickCommand {
  static let command = Command(
    name: "pick", summary: Localized("pick a card and a field", "挑选卡片和字段"),
    options: [
      .field, Option(name: "multiple", short: "m"), Option(name: "copy"), Option(name: "type"),
      Option(name: "menu", value: .commands), .clipboardCommand,
    ] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    if invocation.arguments.has("copy"), invocation.arguments.has("type") {
      throw .usage(Localized("--copy and --type exclude each other", "--copy 与 --type 不能同时使用"))
    }
    try invocation.vault.ensureOpen()
    let menu = try Menu(invocation)
    for id in try menu.pickCards() {
      let card = try invocation.vault.card(id).value
      let named = invocation.arguments[.field]
      try deliver(card, field: named == nil ? menu.pickField(card) : named ?? "", invocation)
    }
  }

  private static func deliver(_ card: CardJSON, field: String, _ invocation: Invocation) throws(Failure) {
    let text = try CopiedText(card, invocation, field: field)
    if invocation.arguments.has("copy") { return try Clipboard.copy(text, invocation) }
    if invocation.arguments.has("type") { return try KeyboardInput.type(text) }
    try invocation.output.line(text.text)
  }
}

/// The program that shows choices: a menu of the user's, fzf, or the picker of qv.
struct Menu {
  private enum Kind {
    case command(String)
    case fzf(Fzf)
    case own
  }

  private let invocation: Invocation
  private let kind: Kind

  init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    if let command = invocation.arguments["menu"] {
      kind = .command(command)
    } else if !Terminal.showsMessages {
      throw .usage(Localized("a picker needs a terminal; use --menu", "选择界面需要终端；没有终端时请用 --menu"))
    } else if !Vault.isAlone(invocation.arguments), let program = SearchPath.find("fzf") {
      kind = .fzf(Fzf(program: program, invocation: invocation))
    } else {
      // The programs that fzf starts cannot use a private process.
      kind = .own
    }
  }

  func pickCards() throws(Failure) -> [Identifier] {
    let isMultiple = invocation.arguments.has("multiple")
    if case .own = kind {
      var picker = BuiltInPicker(invocation, query: invocation.words)
      return try picker.pickCards(multiple: isMultiple).map(\.id)
    }
    if case .fzf(let fzf) = kind {
      return try fzf.pick(query: invocation.words, isMultiple ? ["--multi"] : []) { query throws(Failure) in
        try Self.cardRows(query, invocation)
      }.compactMap { Identifier($0) }
    }
    let cards = try CardFinder(invocation).cards(invocation.words, limit: nil)
    return try pick(cards.map { "\($0.title.oneLine)\($0.kind(invocation.language))" }).map { cards[$0].id }
  }

  /// - Returns: the key or label of a field with a value.
  func pickField(_ card: CardJSON) throws(Failure) -> String {
    let fields = card.shownFields.filter { !$0.value.isEmpty }
    if fields.count == 1 { return fields[0].name }
    let labels = Self.distinct(fields.map(\.label.oneLine))
    let chosen: Int?
    switch kind {
    case .own:
      var picker = BuiltInPicker(invocation)
      chosen = try picker.pickLine(labels, title: card.title.oneLine)
    case .fzf(let fzf):
      chosen = try fzf.pick(lines: labels, ["--prompt", "\(card.title.oneLine): "]) { query in
        Self.rows(labels, query)
      }.first.flatMap { Int($0) }
    case .command: chosen = try pick(labels).first
    }
    guard let chosen, fields.indices.contains(chosen) else { throw .declined }
    return fields[chosen].name
  }

  /// - Returns: the indices of the lines that were chosen in a menu of the user's.
  private func pick(_ lines: [String]) throws(Failure) -> [Int] {
    guard case .command(let command) = kind else { return [] }
    let lines = Self.distinct(lines)
    let input = Array((lines.joined(separator: "\n") + "\n").utf8)
    guard
      let result = try ChildProcess.run(
        "/bin/sh", ["sh", "-c", command], input: input, showsErrors: true,
        while: invocation.vault.connected()),
      result.status == 0
    else {
      throw .declined
    }
    let chosen = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
    let indices = chosen.compactMap { line in lines.firstIndex(of: line) }
    // A menu may also answer with what was typed.
    guard !indices.isEmpty else { throw Self.notAChoice }
    return indices
  }

  static let notAChoice = Failure.exit(
    .notFound, Localized("this is not one of the choices", "所选内容不在列表中"))

  /// The lines that contain a text; their keys are their places.
  static func rows(_ lines: [String], _ query: String) -> [Fzf.Row] {
    lines.indices.filter { query.isEmpty || lines[$0].foldedName.contains(query.foldedName) }.map {
      Fzf.Row(key: String($0), text: lines[$0])
    }
  }

  static func cardRows(_ query: String, _ invocation: Invocation) throws(Failure) -> [Fzf.Row] {
    try CardFinder(invocation).cards(query, limit: nil).map {
      Fzf.Row(key: "\($0.id)", text: "\($0.title.oneLine)\t\($0.kind(invocation.language).trimmed)")
    }
  }

  /// Numbers the lines that occurred before, since a menu answers with a line and not with its place.
  private static func distinct(_ lines: [String]) -> [String] {
    var seen: Set<String> = []
    return lines.map { line in
      var (shown, number) = (line, 1)
      while !seen.insert(shown).inserted {
        number += 1
        shown = "\(line) (\(number))"
      }
      return shown
    }
  }
}

/// Finds cards by words, or lists them without any.
struct CardFinder {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// - Returns: none if the query cannot be understood yet.
  func cards(_ query: String, limit: Int?) throws(Failure) -> [CardJSON] {
    var cards: [CardJSON] = []
    guard !query.trimmed.isEmpty else {
      try Pages(limit: limit) { CardList(page: $0) }.read(invocation.vault) { items throws(Failure) in
        cards += try items.map(CardJSON.decoded)
      }
      return cards
    }
    let page = PageParameters(limit: min(limit ?? 1000, 1000))
    switch try invocation.vault.attempt(CardSearch(query: query, page: page)) {
    case .success(let page): return page.items.map(\.card)
    case .failure(let error) where error.kind == "query.invalid": return []
    case .failure(let error): throw error.failure
    }
  }
}
