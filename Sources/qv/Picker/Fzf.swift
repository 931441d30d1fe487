import VaultInterface
import Wire

/// fzf, which shows the rows that `qv pick-rows` finds for what is typed.
///
/// fzf accepts a row as soon as Enter is pressed, even if the rows for the last letters are still being searched for. So each row
/// has the query that it was found for, and a row of another query is not what was chosen.
struct Fzf {
  let program: String
  let invocation: Invocation

  /// A choice: what it is known by, and what is shown.
  struct Row {
    let key: String
    let text: String
  }

  /// The variable with the lines to choose from; without it, the choices are cards.
  static let linesVariable = "QUICKVAULT_PICK_LINES"

  /// Shows rows.
  ///
  /// - Parameters:
  ///   - lines: what to choose from; nil for the cards.
  ///   - rows: the rows for a query, as the hidden command finds them.
  /// - Returns: the keys of what was chosen.
  func pick(
    query: String = "", lines: [String]? = nil, _ options: [String], _ rows: (String) throws(Failure) -> [Row]
  ) throws(Failure) -> [String] {
    guard let own = Executables.ownPath else { throw .declined }
    let vault = invocation.arguments[.vault].map { " --vault \($0.shellQuoted)" } ?? ""
    let find = "\(own.shellQuoted) pick-rows\(vault) -- {q}"
    let preview = "\(own.shellQuoted) show\(vault) {2}"
    let words =
      ["fzf"] + FzfAppearance.options(Environment["FZF_DEFAULT_OPTS"] ?? "") + [
        "--disabled", "--print-query", "--delimiter", "\t", "--with-nth", "3..", "--query", query,
        "--bind", "start:reload:\(find)", "--bind", "change:first+reload:\(find)",
      ] + (lines == nil ? ["--preview", preview] : []) + options
    let result = try ChildProcess.run(
      program, words, showsErrors: true, environment: environment(lines), while: invocation.vault.connected())
    // 1: there was no row yet, or there is none.
    guard let result, result.status <= 1 else { throw .declined }
    var printed = String(decoding: result.output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let last = String(printed.removeFirst())
    let chosen = printed.map { $0.split(separator: "\t", maxSplits: 2) }.filter { $0.count == 3 }
    if !chosen.isEmpty, chosen.allSatisfy({ $0[0] == Self.mark(of: last) }) {
      return chosen.map { String($0[1]) }
    }
    guard let first = try rows(last).first else { throw Menu.notAChoice }
    return [first.key]
  }

  /// A row as the hidden command prints it.
  static func line(_ row: Row, for query: String) -> String { "\(mark(of: query))\t\(row.key)\t\(row.text)" }

  private static func mark(of query: String) -> String { "q" + Array(query.utf8).hexadecimal }

  private func environment(_ lines: [String]?) -> [String] {
    // fzf quotes for the Bourne shell what is typed.
    let own =
      ["SHELL=/bin/sh"] + (lines.map { ["\(Self.linesVariable)=\($0.joined(separator: "\n"))"] } ?? [])
    let replaced = ["FZF_DEFAULT_", "SHELL=", Self.linesVariable]
    return ProcessEnvironment.entries.filter { !replaced.contains(where: $0.hasPrefix) } + own
  }
}

/// The options in `FZF_DEFAULT_OPTS` that change how fzf looks. Others change what it prints, or which rows it shows.
enum FzfAppearance {
  private static let names: Set = [
    "--color", "--height", "--min-height", "--layout", "--reverse", "--border", "--margin", "--padding",
    "--info",
    "--pointer", "--marker", "--scrollbar", "--no-scrollbar", "--no-bold", "--no-mouse", "--no-unicode",
    "--cycle",
    "--ansi",
  ]

  static func options(_ text: String) -> [String] {
    var kept: [String] = []
    var isKept = false
    for word in words(text) {
      if word.hasPrefix("-") { isKept = names.contains(String(word.prefix { $0 != "=" })) }
      if isKept { kept.append(word) }
    }
    return kept
  }

  /// The words of a text in which quotes and backslashes protect spaces.
  private static func words(_ text: String) -> [String] {
    var (words, word, quote, isEscaped) = ([] as [String], nil as String?, nil as Character?, false)
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if quote == nil, character.isWhitespace {
        words += [word].compactMap(\.self)
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }
}

/// The command that fzf runs for each change of the query: prints rows, and never asks for a password.
enum PickRowsCommand {
  static let command = Command(
    name: "pick-rows", summary: Localized("rows for a picker", "供挑选的各行"),
    isHidden: true
  ) { invocation throws(Failure) in
    let query = invocation.words
    let rows: [Fzf.Row]
    if let lines = Environment[Fzf.linesVariable] {
      rows = Menu.rows(lines.split(separator: "\n").map(String.init), query)
    } else {
      let status = try invocation.vault.status()
      guard !status.isLocked, status.isAdmitted != false else { return }
      rows = try Menu.cardRows(query, invocation)
    }
    for row in rows { try invocation.output.line(Fzf.line(row, for: query)) }
  }
}
