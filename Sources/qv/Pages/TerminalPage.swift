import VaultInterface

/// What a command tells a person at a terminal: the state in a sentence, facts, and what can be done next. In a pipe, the same
/// command prints lines for other programs.
struct TerminalPage {
  /// A line with something in front, such as a label, a time or a command.
  struct Row {
    let lead: String
    let text: String

    init(_ lead: String, _ text: String) {
      (self.lead, self.text) = (lead.oneLine, text.oneLine)
    }
  }

  private enum Block {
    case text(String)
    case rows([Row], under: String?)
  }

  private let state: String
  private var blocks: [Block] = []

  /// - Parameter state: a sentence.
  init(_ state: Localized) {
    self.state = state.shown
  }

  mutating func add(_ text: Localized) {
    blocks.append(.text(text.shown))
  }

  /// Adds labels with their values. A value that is nil is left out.
  mutating func addFacts(_ facts: [(label: Localized, value: String?)]) {
    addRows(facts.compactMap { fact in fact.value.map { Row(fact.label.shown + Self.colon, $0) } })
  }

  private static var colon: String { Localized(":", "：").shown }

  /// Adds a list, or that it is empty.
  mutating func addRows(_ rows: [Row], under title: Localized? = nil, ifEmpty text: Localized? = nil) {
    if let text, rows.isEmpty {
      add(text)
    } else if !rows.isEmpty {
      blocks.append(.rows(rows, under: title?.shown))
    }
  }

  /// A command that can be useful now.
  struct Suggestion {
    fileprivate let row: Row

    init(_ command: String, _ purpose: Localized) {
      row = Row(command, purpose.shown)
    }

    init(_ command: String, _ argument: Localized, _ purpose: Localized) {
      self.init("\(command) \(argument.shown)", purpose)
    }
  }

  /// Adds the commands that can be useful now.
  mutating func addNext(_ suggestions: [Suggestion?]) {
    addRows(suggestions.compactMap { $0?.row }, under: Localized("What you can do:", "可以执行："))
  }

  /// The lines for a terminal with so many columns; the first ones are the state.
  func lines(_ width: Int) -> (state: [String], rest: [String]) {
    (state.wrapped(at: width), blocks.flatMap { [""] + Self.lines($0, width) })
  }

  private static func lines(_ block: Block, _ width: Int) -> [String] {
    switch block {
    case .text(let text): return text.wrapped(at: width)
    case .rows(let rows, let title):
      let (indentation, gap) = (title == nil ? 0 : 2, 2)
      let leads = rows.map(\.lead.displayWidth).max() ?? 0
      let start = leads == 0 ? indentation : indentation + leads + gap
      // Where little room is left, what follows is below, or a value behind its own label.
      let isBelow = start > width / 2
      let left = isBelow ? indentation + 4 : start
      let lines = rows.flatMap { row in
        if isBelow, row.lead.hasSuffix(colon) {
          return "\(row.lead) \(row.text)".wrapped(at: width, first: indentation, others: left)
        }
        let texts = row.text.isEmpty ? [] : row.text.wrapped(at: width, first: left, others: left)
        let lead = row.lead.wrapped(at: width, first: indentation, others: indentation)
        guard !isBelow, let first = texts.first else { return lead + texts }
        return [lead[0].padded(to: left) + first.dropFirst(left)] + texts.dropFirst()
      }
      return (title.map { $0.wrapped(at: width) } ?? []) + lines
    }
  }
}

extension Invocation {
  /// Ends what a person was shown at a terminal with the commands that can be useful now.
  func showNext(_ suggestions: [TerminalPage.Suggestion]) throws(Failure) {
    guard let width = output.width else { return }
    var page = TerminalPage(Localized(verbatim: ""))
    page.addNext(suggestions)
    for line in page.lines(width).rest { try output.line(line) }
  }
}

extension Localized {
  /// The text in the language of messages, on one line.
  var shown: String { self[Environment.language].oneLine }
}

extension Invocation {
  /// Shows a page to a person at a terminal.
  ///
  /// - Returns: false if standard output is no terminal.
  func shows(_ page: () throws(Failure) -> TerminalPage) throws(Failure) -> Bool {
    guard let width = output.width else { return false }
    let (state, rest) = try page().lines(width)
    for line in state { try output.line(output.bold(line)) }
    for line in rest { try output.line(line) }
    return true
  }
}
