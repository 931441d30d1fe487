import VaultInterface
import Wire

enum ListCommand {
  static let command = Command(
    name: "list", aliases: ["ls"], summary: Localized("list cards", "列出卡片"),
    options: [.json, .nullSeparated, .group, .tag, .type, .limit, .all] + Option.password
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    try arguments.allow(0)
    let filter = CardFilter(group: try arguments.group, tag: arguments[.tag], type: try arguments.type)
    let list = CardListing(invocation)
    let pages = Pages(limit: list.limit) { CardList(filter: filter, page: $0) }
    let total = try list.print(pages, card: CardJSON.decoded) { cards in
      CardTable.lines(cards, width: invocation.output.width ?? 80, invocation.language)
    }
    guard total == 0 else { return }
    if filter.isEmpty {
      invocation.mention(
        "no cards yet; create one with qv new address, qv new invoice, qv new title or qv new text",
        "还没有卡片：用 qv new address、qv new invoice、qv new title 或 qv new text 新建")
    } else {
      invocation.mention("no matches", "没有匹配的卡片")
    }
  }
}

enum SearchCommand {
  static let command = Command(
    name: "search", aliases: ["find"], summary: Localized("search for cards", "查找卡片"),
    options: [.json, .nullSeparated, .group, .tag, .type, .limit, .all] + Option.password
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    var query = invocation.words
    if let group = arguments[.group] { query += " group:\(CardGroup(named: group)?.rawValue ?? group)" }
    if let type = arguments[.type] { query += " type:\(CardType(named: type)?.rawValue ?? type)" }
    for tag in arguments.all(.tag) { query += " tag:\"\(tag.filter { $0 != "\"" })\"" }
    guard !query.isEmpty else { throw .usage(Localized("search for which words?", "请给出要查找的词")) }
    let list = CardListing(invocation)
    let pages = Pages(limit: list.limit) { [query] in CardSearch(query: query, page: $0) }
    let total = try list.print(pages) { item throws(Failure) in
      try CardResponse.decoded(item).card
    } table: { items in
      items.flatMap { CardTable.foundLines($0, invocation.output, invocation.language) }
    }
    guard total == 0 else { return }
    invocation.mention("no matches", "没有匹配的卡片")
    throw .exit(.notFound, [])
  }
}

/// Prints a long list of cards for a terminal, a pipe or as JSON.
struct CardListing {
  private let invocation: Invocation
  /// The maximum number of cards; nil for all.
  let limit: Int?

  private static let terminalLimit = 50

  init(_ invocation: Invocation) {
    self.invocation = invocation
    let arguments = invocation.arguments
    let usual = invocation.output.isTerminal && !arguments.has(.json) && !arguments.has(.all)
    limit = arguments.has(.all) ? nil : arguments.number(.limit) ?? (usual ? Self.terminalLimit : nil)
  }

  /// - Returns: how many there are.
  func print<Item>(
    _ pages: Pages<Item>, card: (JSON) throws(Failure) -> CardJSON, table: ([Item]) -> [String]
  ) throws(Failure) -> Int {
    let (output, arguments) = (invocation.output, invocation.arguments)
    let vault = invocation.vault
    var kept: [JSON] = []
    let isTable = output.isTerminal && !arguments.has(.nullSeparated)
    let end: [UInt8] = [arguments.has(.nullSeparated) ? 0 : 0x0A]
    let (total, read) = try pages.read(vault) { items throws(Failure) in
      if isTable || arguments.has(.json) {
        kept += items
      } else {
        for item in items {
          try output.write(CardTable.line(card(item)))
          try output.write(end)
        }
      }
    }
    if arguments.has(.json) {
      try output.json(["items": .array(kept), "total": .integer(total)])
    } else if isTable, !kept.isEmpty {
      for line in table(try kept.map(Item.decoded)) { try output.line(line) }
    }
    if total > read {
      try output.flush()
      invocation.mention(
        "\(read) of \(total) shown; use --limit N or --all for more",
        "显示了 \(read) 张，共 \(total) 张：用 --limit N 或 --all 显示更多")
    }
    return total
  }
}
