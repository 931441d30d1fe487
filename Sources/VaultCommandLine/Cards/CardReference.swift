import JSON
import VaultModel
import VaultProtocol

/// Finds the card that a text refers to: an id, the beginning of an id (at least four digits), a title, or words that only one
/// card contains.
struct CardReference {
  private let invocation: Invocation
  private let text: String
  /// The number of candidates that are named.
  private static let shown = 20

  private init(_ invocation: Invocation, _ text: String) {
    (self.invocation, self.text) = (invocation, text)
  }

  /// - Returns: the id of the only card.
  /// - Throws: ``ExitStatus/notFound``; ``ExitStatus/ambiguous``, with the candidates.
  static func resolve(_ text: String, _ invocation: Invocation) throws(Failure) -> String {
    guard !text.isEmpty else {
      throw .usage(
        Localized(
          "which card? Give its title, words that only it contains, or its id", "请指定卡片：给出标题、只有它包含的词或编号"))
    }
    return try CardReference(invocation, text).id()
  }

  /// The whole card.
  static func card(_ text: String, _ invocation: Invocation) throws(Failure) -> Card {
    let id = try resolve(text, invocation)
    return Card(try invocation.vault.request(CardGet.method, ["id": .string(id)])["card"] ?? [:])
  }

  /// Whether a text can be the beginning of an id.
  static func isPrefix(_ text: String) -> Bool {
    (4...36).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
          || byte == 0x2D
      }
  }

  private func id() throws(Failure) -> String {
    let quoted = String(text.map { $0 == "\"" ? " " : $0 })
    if Self.isPrefix(text), text.utf8.count == 36 { return text.lowercased() }
    // A title such as 2024 takes precedence over an id with this prefix.
    if let id = try only(titled()) { return id }
    if Self.isPrefix(text), let id = try only(withPrefix(text.lowercased())) { return id }
    if let id = try only(found("title:\"\(quoted)\"")) { return id }
    if let id = try only(found("\"\(quoted)\"")) { return id }
    if let id = try only(found(text)) { return id }
    throw .exit(.notFound, Localized("no card matches: \(text)", "没有匹配的卡片：\(text)"))
  }

  private func titled() throws(Failure) -> [Card] {
    let page = try invocation.vault.request(CardList.method, ["title": .string(text), "limit": 1000])
    return page["items"]?.elements.map(Card.init) ?? []
  }

  private func found(_ query: String) throws(Failure) -> [Card] {
    switch try invocation.vault.attempt(CardSearch.method, ["query": .string(query), "limit": 1000]) {
    case .success(let page): return page["items"]?.elements.compactMap { $0["card"].map(Card.init) } ?? []
    case .failure(let error) where error.kind == "query.invalid": return []
    case .failure(let error): throw error.failure
    }
  }

  private func withPrefix(_ prefix: String) throws(Failure) -> [Card] {
    var cards: [Card] = []
    try Pages(CardList.method, [], limit: nil).read(invocation.vault) { items in
      cards += items.map(Card.init).filter { $0.id.hasPrefix(prefix) }
    }
    return cards
  }

  /// - Returns: nil if there is no candidate.
  private func only(_ candidates: [Card]) throws(Failure) -> String? {
    guard candidates.count > 1 else { return candidates.first?.id }
    let language = invocation.language
    let head = Localized("\(text) matches \(candidates.count) cards:", "“\(text)”匹配 \(candidates.count) 张卡片：")
    var lines = candidates.prefix(Self.shown).map {
      "  \($0.shortID)  \($0.title.oneLine)\($0.kind(language))"
    }
    if candidates.count > Self.shown { lines.append("  …") }
    invocation.report(head[language])
    for line in lines { invocation.terminal.show(line + "\n") }
    throw .exit(.ambiguous, [])
  }
}
