import VaultInterface

/// A picker on the terminal: a line to type in, and the choices below.
struct BuiltInPicker {
  private let invocation: Invocation
  private var editor: LineEditor
  private var selected = 0
  private static let pageSize = 200

  init(_ invocation: Invocation, query: String = "") {
    self.invocation = invocation
    editor = LineEditor(query)
  }

  private var query: String { String(editor.text) }

  /// Picks cards, by a search of the server for what is typed.
  ///
  /// - Returns: the marked ones in the order in which they were marked, or the selected one.
  mutating func pickCards(multiple: Bool) throws(Failure) -> [CardJSON] {
    let searching = CardFinder(invocation)
    let language = invocation.language
    var marked: [CardJSON] = []
    var (found, last) = ([] as [CardJSON], nil as String?)
    let chosen = try choose(title: "") { query, key, index throws(Failure) in
      if query != last { (found, last) = (try searching.cards(query, limit: Self.pageSize), query) }
      if key == .tab, multiple, found.indices.contains(index) {
        let card = found[index]
        let others = marked.filter { $0.id != card.id }
        marked = others.count < marked.count ? others : marked + [card]
      }
      let ids = Set(marked.map(\.id))
      return found.map { (ids.contains($0.id) ? "+ " : "  ") + $0.title.oneLine + $0.kind(language) }
    }
    if !marked.isEmpty { return marked }
    guard found.indices.contains(chosen) else { throw .declined }
    return [found[chosen]]
  }

  /// Picks one of several lines.
  mutating func pickLine(_ lines: [String], title: String) throws(Failure) -> Int {
    var shown: [Fzf.Row] = []
    let chosen = try choose(title: title) { query, _, _ in
      shown = Menu.rows(lines, query)
      return shown.map { "  " + $0.text }
    }
    guard shown.indices.contains(chosen), let index = Int(shown[chosen].key) else { throw .declined }
    return index
  }

  /// - Parameter lines: gives the choices for what is typed, after a key at the selected line.
  /// - Returns: the index of the chosen line.
  private mutating func choose(title: String, _ lines: (String, Key?, Int) throws(Failure) -> [String])
    throws(Failure)
    -> Int
  {
    guard
      let result = try Terminal.withControlling({ terminal throws(Failure) in
        try terminal.withKeys { keys throws(Failure) in
          // The alternate screen: what was shown comes back, and nothing stays in the scrollback.
          terminal.show("\u{1b}[?1049h")
          defer { terminal.show("\u{1b}[?1049l") }
          while true {
            let choices = try lines(query, nil, selected)
            selected = min(max(selected, 0), max(choices.count - 1, 0))
            draw(choices, title, on: terminal)
            switch try keys.next(while: invocation.vault.connected()) {
            case .enter: return selected
            case .escape, .end, .closed: throw Failure.declined
            case .down: selected += 1
            case .tab:
              // Marks the line, and goes to the next.
              _ = try lines(query, .tab, selected)
              selected += 1
            case .up: selected -= 1
            case .pageDown: selected += 10
            case .pageUp: selected -= 10
            case let key:
              editor.apply(key)
              selected = 0
            }
          }
        }
      })
    else { throw .usage(Localized("a picker needs a terminal; use --menu", "选择界面需要终端；没有终端时请用 --menu")) }
    return result
  }

  private func draw(_ choices: [String], _ title: String, on terminal: Terminal) {
    let (rows, columns) = Terminal.size(of: terminal.output)
    let visible = max(rows - 2, 1)
    let first = max(selected - visible + 1, 0)
    let head = title.isEmpty ? "> " : "\(title): "
    var screen = "\u{1b}[H\u{1b}[J" + (head + query).truncated(to: columns - 1).trimmedEnd + "\r\n"
    for (index, choice) in choices.enumerated().dropFirst(first).prefix(visible) {
      let line = choice.truncated(to: columns - 1)
      screen += (index == selected ? "\u{1b}[7m\(line)\u{1b}[0m" : line.trimmedEnd) + "\r\n"
    }
    let column = min((head + query).displayWidth, columns - 1) + 1
    terminal.show(screen + "\u{1b}[1;\(column)H")
  }
}
