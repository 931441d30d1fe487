import VaultInterface
import Wire

/// Lists of cards, for people and for programs.
enum CardTable {
  /// The columns for other programs.
  static func line(_ card: CardJSON) -> String {
    [
      "\(card.id)", card.title.oneLine, card.type.rawValue, card.group.rawValue,
      card.tags.map(\.oneLine).joined(separator: ","), "\(card.modifiedAt)", card.isPinned ? "pinned" : "",
    ].joined(separator: "\t")
  }

  private static func columns(_ card: CardJSON, _ language: Language) -> [String] {
    [
      card.isPinned ? "*" : " ", card.shortID, card.title.oneLine, card.type.name[language],
      card.group.name[language], tagList(card), card.modifiedAt.local,
    ]
  }

  private static func tagList(_ card: CardJSON) -> String {
    card.tags.map { "#" + $0.oneLine }.joined(separator: " ")
  }

  private static func headings(_ language: Language) -> [String] {
    [
      Localized(" ", " "), Localized("ID", "ID"), Localized("TITLE", "标题"), Localized("TYPE", "类型"),
      Localized("GROUP", "分组"), Localized("TAGS", "标签"), Localized("MODIFIED", "修改时间"),
    ].map { $0[language] }
  }

  /// The lines of a table of at most `total` columns: titles and tags are shortened, and the last columns left out where there is
  /// little room.
  static func lines(_ cards: [CardJSON], width total: Int, _ language: Language) -> [String] {
    var rows = [headings(language)] + cards.map { columns($0, language) }
    // The time, the tags, the group and the type go first.
    var kept = [0, 1, 2, 3, 4, 5, 6]
    var widths = kept.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    for column in [6, 5, 4, 3] {
      let fixed = kept.filter { $0 != 2 && $0 != 5 }.reduce(0) { $0 + widths[$1] + 2 } - 1
      if total - fixed >= 16 { break }
      kept.removeAll { $0 == column }
    }
    let fixed = kept.filter { $0 != 2 && $0 != 5 }.reduce(0) { $0 + widths[$1] + 2 } - 3
    let hasTags = kept.contains(5)
    let room = total - fixed - (hasTags ? 4 : 2)
    let tags = hasTags ? min(widths[5], max(room - widths[2], room / 3, 4)) : 0
    (widths[2], widths[5]) = (min(widths[2], max(room - tags, 10)), tags)
    rows = rows.map { row in kept.map { row[$0].truncated(to: widths[$0]) } }
    return rows.map { $0[0] + " " + $0.dropFirst().joined(separator: "  ").trimmedEnd }
  }

  /// A card that a search found, with the fields that match.
  static func foundLines(_ item: CardSearch.Item, _ output: Output, _ language: Language) -> [String] {
    let head = columns(item.card, language).prefix(3)
    let colon = Localized(": ", "：")[language]
    return [head[0] + " " + head[1] + "  " + head[2] + item.card.kind(language)]
      + item.matches.filter { $0.field != "title" }.map {
        "             \($0.label.oneLine)\(colon)\(highlighted($0, output))"
      }
  }

  /// The snippet of a match with its ranges, counted in code points, in bold.
  private static func highlighted(_ match: CardSearch.Match, _ output: Output) -> String {
    let scalars = Array(match.snippet.unicodeScalars)
    let text = { (range: Range<Int>) in
      String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])).oneLine
    }
    var (result, end) = ("", 0)
    for parts in match.ranges {
      guard parts.count == 2, parts[0] >= end, parts[1] >= 0 else { continue }
      result += text(end..<parts[0]) + output.bold(text(parts[0]..<parts[0] + parts[1]))
      end = parts[0] + parts[1]
    }
    return result + text(min(end, scalars.count)..<scalars.count)
  }
}

extension String {
  /// The text without spaces at its end.
  var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// The pages of a long list. Lists have thousands of items, so they are read when they are needed.
struct Pages<Item: JSONCodable> {
  private let method: String
  private let parameters: (PageParameters) -> JSON
  private let limit: Int

  /// - Parameters:
  ///   - limit: the maximum number of items; nil for all.
  ///   - request: the request for a page.
  init<Request: VaultRequest>(limit: Int?, _ request: @escaping (PageParameters) -> Request)
  where Request.Response == Page<Item> {
    (method, parameters, self.limit) = (Request.method, { request($0).json }, limit ?? .max)
  }

  /// Reads page after page. The server makes the next one while `body`, which must not use the vault, has this one.
  ///
  /// - Returns: the number of items that there are, and that were read.
  @discardableResult
  func read(_ vault: Vault, _ body: ([JSON]) throws(Failure) -> Void) throws(Failure) -> (
    total: Int, read: Int
  ) {
    var (parameters, read) = (parameters(of: nil, after: 0), 0)
    var begun: RequestIdentifier?
    while true {
      let answer = try vault.attempt(method, parameters, begun: begun).getOrFail()
      let page = try Page<JSON>.decoded(answer)
      read += page.items.count
      guard let cursor = page.nextCursor, !page.items.isEmpty, read < limit else {
        try body(page.items)
        return (page.total, read)
      }
      parameters = self.parameters(of: cursor, after: read)
      begun = try vault.connected().begin(method, parameters)
      try body(page.items)
    }
  }

  private func parameters(of cursor: String?, after read: Int) -> JSON {
    parameters(PageParameters(limit: min(limit - read, PageParameters.limits.upperBound), cursor: cursor))
  }
}

/// A card that exists in two versions, because it was changed in two copies of the vault.
struct ConflictingCards {
  /// Nil if the card is gone, or nothing tells which it is.
  let card: CardJSON?
  let copy: CardJSON
  /// The title of the copy without the note.
  let title: String

  /// Whether a text names the conflict: the title of either, or an id.
  ///
  /// - Parameter guesses: whether the beginning of an id will do.
  func matches(_ text: String, guesses: Bool) -> Bool {
    [title, copy.title, card?.title ?? title].contains { $0.trimmed.tagKey == text.trimmed.tagKey }
      || [copy.id, card?.id].contains { $0?.isNamed(by: text, guesses: guesses) == true }
  }

  /// Reads all conflicts of the vault, in the order of its list.
  static func all(_ vault: Vault) throws(Failure) -> [ConflictingCards] {
    try vault.ask(CardConflicts()).conflicts.map { (conflict) throws(Failure) in
      ConflictingCards(
        card: try conflict.card.map { (id) throws(Failure) in try vault.card(id).value },
        copy: try vault.card(conflict.copy).value, title: conflict.title)
    }
  }
}
