import JSON
import SharedService
import VaultModel
import VaultProtocol

enum PickCommand {
  static let command = Command(
    name: "pick", summary: Localized("pick a card and a field", "挑选卡片和字段"),
    help: Localized(
      """
      qv pick [WORDS] [--field FIELD] [--multiple] [--copy | --type] [--menu COMMAND]

      Picks a card and then a field, and prints its value; --copy copies it, --type types it into the focused
      window. Titles are searched as you type, also by pinyin, in fzf if it is installed (it gets titles, and
      what qv show prints of the marked card), else in qv's own picker. --multiple picks several cards (Tab
      marks them).
      --menu runs a menu that reads lines and prints the chosen one, such as 'rofi -dmenu', 'fuzzel --dmenu',
      'wofi --dmenu' or dmenu.
      """,
      """
      qv pick [词语] [--field 字段] [--multiple] [--copy | --type] [--menu 命令]

      先挑选卡片，再挑选字段，并输出其内容；--copy 复制，--type 键入当前窗口。
      边输入边查找，支持拼音。若安装了 fzf 则使用它（它得到标题，以及 qv show 对所选卡片的输出），
      否则使用自带的选择界面。
      --multiple 可选多张卡片（按 Tab 标记）。
      --menu 运行读取各行并输出所选行的菜单程序，如 'rofi -dmenu'、'fuzzel --dmenu'、'wofi --dmenu'、dmenu。
      """),
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
      let card = Card(try invocation.vault.request(CardGet.method, ["id": .string(id)])["card"] ?? [:])
      let named = invocation.arguments[.field]
      try deliver(card, field: named == nil ? menu.pickField(card) : named ?? "", invocation)
    }
  }

  private static func deliver(_ card: Card, field: String, _ invocation: Invocation) throws(Failure) {
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
    case fzf(String)
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
      kind = .fzf(program)
    } else {
      // The programs that fzf starts cannot use a private process.
      kind = .own
    }
  }

  /// - Returns: ids of cards.
  func pickCards() throws(Failure) -> [String] {
    let isMultiple = invocation.arguments.has("multiple")
    if case .own = kind {
      var picker = BuiltInPicker(invocation, query: invocation.words)
      return try picker.pickCards(multiple: isMultiple).map(\.id)
    }
    if case .fzf(let program) = kind { return try pickWithFzf(program, multiple: isMultiple) }
    let cards = try CardFinder(invocation).cards(invocation.words, limit: nil)
    return try pick(cards.map { "\($0.title.oneLine)\($0.kind(invocation.language))" }).map { cards[$0].id }
  }

  /// - Returns: the key or label of a field with a value.
  func pickField(_ card: Card) throws(Failure) -> String {
    let fields = (card.fields + card.extraFields).filter { !$0.value.isEmpty }
    if fields.count == 1 { return fields[0].key ?? fields[0].label }
    let labels = fields.map(\.label.oneLine)
    let chosen: Int?
    switch kind {
    case .own:
      var picker = BuiltInPicker(invocation)
      chosen = try picker.pickLine(labels, title: card.title.oneLine)
    case .fzf(let program):
      chosen = try run(program, ["fzf", "--prompt", "\(card.title.oneLine): "], labels).first
    case .command: chosen = try pick(labels).first
    }
    guard let chosen else { throw .declined }
    return fields[chosen].key ?? fields[chosen].label
  }

  private func pick(_ lines: [String]) throws(Failure) -> [Int] {
    guard case .command(let command) = kind else { return [] }
    return try run("/bin/sh", ["sh", "-c", command], lines)
  }

  /// - Returns: the indices of the lines that were chosen.
  private func run(_ program: String, _ words: [String], _ lines: [String]) throws(Failure) -> [Int] {
    let lines = Self.distinct(lines)
    let input = Array((lines.joined(separator: "\n") + "\n").utf8)
    guard let result = try ChildProcess.run(program, words, input: input, showsErrors: true),
      result.status == 0
    else {
      throw .declined
    }
    let chosen = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
    let indices = chosen.compactMap { line in lines.firstIndex(of: line) }
    // A menu may also answer with what was typed.
    guard !indices.isEmpty else {
      throw .exit(.notFound, Localized("this is not one of the choices", "所选内容不在列表中"))
    }
    return indices
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

  /// fzf shows what `qv pick-titles` finds for what is typed.
  private func pickWithFzf(_ program: String, multiple: Bool) throws(Failure) -> [String] {
    guard let own = Executables.ownPath else { throw .declined }
    let vault = invocation.arguments[.vault].map { " --vault \(Self.quoted($0))" } ?? ""
    let find = "\(Self.quoted(own)) pick-titles\(vault) -- {q}"
    let words =
      [
        "fzf", "--disabled", "--delimiter", "\t", "--with-nth", "2..", "--query", invocation.words,
        "--bind", "start:reload:\(find)", "--bind", "change:reload:\(find)",
        "--preview", "\(Self.quoted(own)) show\(vault) {1}",
      ] + (multiple ? ["--multi"] : [])
    guard let result = try ChildProcess.run(program, words, showsErrors: true), result.status == 0 else {
      throw .declined
    }
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap {
      $0.split(separator: "\t").first.map(String.init)
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// Finds cards by words, or lists them without any.
struct CardFinder {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// - Returns: none if the query cannot be understood yet.
  func cards(_ query: String, limit: Int?) throws(Failure) -> [Card] {
    var cards: [Card] = []
    guard !query.trimmed.isEmpty else {
      try Pages(CardList.method, [], limit: limit).read(invocation.vault) { cards += $0.map { Card($0) } }
      return cards
    }
    let parameters: JSON = ["query": .string(query), "limit": .integer(min(limit ?? 1000, 1000))]
    switch try invocation.vault.attempt(CardSearch.method, parameters) {
    case .success(let page): return page["items"]?.elements.compactMap { $0["card"].map { Card($0) } } ?? []
    case .failure(let error) where error.kind == "query.invalid": return []
    case .failure(let error): throw error.failure
    }
  }
}

/// The command that fzf runs for each change of the query: prints ids and titles, and never asks for a password.
enum PickTitlesCommand {
  static let command = Command(
    name: "pick-titles", summary: Localized("titles for a picker", "供挑选的标题"),
    help: Localized("qv pick-titles -- QUERY", "qv pick-titles -- 词语"), isHidden: true
  ) { invocation throws(Failure) in
    let status = try invocation.vault.status()
    guard status["locked"] == false, status["admitted"] != false else { return }
    for card in try CardFinder(invocation).cards(invocation.words, limit: nil) {
      try invocation.output.line(
        "\(card.id)\t\(card.title.oneLine)\t\(card.kind(invocation.language).trimmed)")
    }
  }
}
