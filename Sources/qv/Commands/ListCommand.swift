import VaultInterface
import Wire

enum ListCommand {
  static let command = Command(
    name: "list", aliases: ["ls"], summary: Localized("list cards", "列出卡片"),
    help: Localized(
      """
      qv list [--group GROUP] [--tag TAG] [--type TYPE] [--limit N | --all] [--json | -0]

      Lists cards: pinned cards (*) first, then the most recently modified. A terminal gets 50 unless you
      use --limit or --all; a pipe and --json get all. Groups: personal, company. Types: address, invoice,
      title, text. In a pipe, prints one line per card with tabs between id, title, type, group, tags, time and
      "pinned"; -0 ends each with a NUL byte instead.
      """,
      """
      qv list [--group 分组] [--tag 标签] [--type 类型] [--limit N | --all] [--json | -0]

      列出卡片：置顶的（*）在前，其余按修改时间排列。在终端上最多 50 张，除非使用 --limit 或 --all；
      输出到管道或使用 --json 时列出全部。分组：personal 个人、company 公司。
      类型：address 地址、invoice 发票、title 发票抬头、text 文本。输出到管道时每张卡片一行，以制表符分隔：
      编号、标题、类型、分组、标签、时间、“pinned”；-0 使每行改以 NUL 字节结尾。
      """),
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
    help: Localized(
      """
      qv search WORDS [--group GROUP] [--tag TAG] [--type TYPE] [--limit N | --all] [--json | -0]

      Finds the cards that contain every word, and shows the fields that match. You can narrow the search:
        tag:税务  group:company  type:invoice  title:office  bankName:招商  "Tax ID":9144
        has:attachment  "a phrase"
      Fields go by key or label. What fits a title best comes first. Output and limits are those of list.
      The exit status is 3 if nothing matches.
      """,
      """
      qv search 词语… [--group 分组] [--tag 标签] [--type 类型] [--limit N | --all] [--json | -0]

      查找包含所有词语的卡片，并显示匹配的字段。可以限定范围：
        tag:税务  group:company  type:invoice  title:开票  开户行:招商  税号:9144  "短语"
        has:attachment（有附件）
      字段可用字段键或字段名；与标题最相符的排在前面。
      输出格式与数量限制同 list。没有匹配时退出状态为 3。
      """),
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
