import VaultInterface

/// Shows lines on the alternate screen of the terminal, so that the scrollback does not keep them, until a key or a lock ends it.
enum Pager {
  static func show(_ lines: [String], _ invocation: Invocation) throws(Failure) {
    let connection = try invocation.vault.connected()
    let shown: Void? = try Terminal.withControlling { terminal throws(Failure) in
      try terminal.withKeys { keys throws(Failure) in
        terminal.show("\u{1b}[?1049h")
        defer { terminal.show("\u{1b}[?1049l") }
        var first = 0
        while true {
          let (rows, columns) = Terminal.size(of: terminal.output)
          let (page, all) = (max(rows - 1, 1), lines.flatMap(\.lines).flatMap { $0.wrapped(to: columns) })
          first = max(min(first, all.count - page), 0)
          let hint = invocation.text("q closes, Space and arrows scroll", "q 关闭，空格和方向键滚动")
          terminal.show(
            "\u{1b}[H\u{1b}[J" + all.dropFirst(first).prefix(page).map { $0 + "\r\n" }.joined()
              + "\u{1b}[\(rows);1H" + hint.truncated(to: columns - 1).trimmedEnd)
          switch try keys.next(while: connection) {
          case .escape, .enter, .end, .closed, .character("q"): return
          case .down: first += 1
          case .up: first -= 1
          case .pageDown, .character(" "): first += page
          case .pageUp: first -= page
          default: break
          }
        }
      }
    }
    guard shown != nil else {
      throw .usage(Localized("there is no terminal for a pager", "没有可供翻阅的终端"))
    }
  }
}

extension String {
  /// This line as lines of a terminal with so many columns.
  fileprivate func wrapped(to columns: Int) -> [String] {
    var (lines, width) = ([""], 0)
    for character in self {
      let own = String(character).displayWidth
      if width + own > columns {
        lines.append("")
        width = 0
      }
      lines[lines.count - 1].append(character)
      width += own
    }
    return lines
  }
}
