/// Why a query cannot be searched for. The query's own words are never repeated.
public enum QueryError: Error, Hashable, Sendable {
  /// Longer than ``Limits/query`` code points.
  case tooLong
  /// More than ``Limits/queryTerms`` different words and phrases.
  case tooManyTerms
  /// `group:` with something that names no group.
  case unknownGroup
  /// `type:` with something that names no type.
  case unknownType
  /// `has:` with something other than `attachment`.
  case unknownContent
  /// `is:` with something other than `pinned`.
  case unknownState

  /// The message for the user.
  public var message: Localized {
    switch self {
    case .tooLong:
      Localized(
        "The query is longer than \(Limits.query) characters.", "搜索内容超过 \(Limits.query) 个字符。")
    case .tooManyTerms:
      Localized(
        "The query has more than \(Limits.queryTerms) different words.",
        "搜索内容超过 \(Limits.queryTerms) 个不同的词。")
    case .unknownGroup:
      Localized("group: must be personal or company.", "group: 后应为 personal（个人）或 company（公司）。")
    case .unknownType:
      Localized(
        "type: must be address, invoice, title or text.",
        "type: 后应为 address（地址）、invoice（发票）、title（发票抬头）或 text（文本）。")
    case .unknownContent: Localized("has: must be attachment.", "has: 后应为 attachment（附件）。")
    case .unknownState: Localized("is: must be pinned.", "is: 后应为 pinned（置顶）。")
    }
  }
}

/// A search over cards (R7): words and phrases that must all be there, and conditions that must all hold.
///
/// Words are separated by white space; a phrase is in double quotes. `title:`, `tag:` and the key or label of any field
/// search that part only; without a word they match every card that has it. `group:` and `type:` take the names in both
/// languages, `has:attachment` and `is:pinned` are conditions. The colon may be full-width, and a label may be in quotes.
/// A prefix that may be the label of an extra field, as in `http://…`, may also be a part of the word. A query without
/// anything matches every card.
public struct SearchQuery: Hashable, Sendable {
  enum Scope: Hashable {
    case anywhere
    case title
    case tag
    case field(NamedField)
  }

  /// The fields of all cards that have a name.
  struct NamedField: Hashable {
    /// The keys of the template fields.
    let keys: [String]
    /// The label of extra fields, folded.
    let label: [UInt8]
  }

  /// One word or phrase, folded once.
  struct Term: Hashable {
    let scope: Scope
    let scalars: [Unicode.Scalar]
    let bytes: [UInt8]
    /// The word as pinyin, where it can be that.
    let pinyin: PinyinWord?
    /// The word as a number, where it is one.
    let number: GroupedNumber?
    /// What else may be meant: at most one term.
    let alternatives: [Term]

    init(_ text: String, in scope: Scope, or alternatives: [Term] = []) {
      let folded = FoldedText(text)
      (self.scope, self.alternatives) = (scope, alternatives)
      scalars = folded.scalars
      bytes = folded.utf8
      pinyin = PinyinWord(folded.scalars)
      number = GroupedNumber(folded.scalars)
    }
  }

  var terms: [Term] = []
  /// All words without qualifiers as one text, for ranking; nil without words.
  private(set) var phrase: Term?
  var groups: [CardGroup] = []
  var types: [CardType] = []
  var pinnedOnly = false
  /// Whether a term searches extra fields by their label.
  private(set) var asksForLabel = false
  /// Whether the query matches only cards with attachments, which the caller must find out.
  public internal(set) var asksForAttachment = false

  /// Whether every card matches.
  public var isEmpty: Bool {
    terms.isEmpty && groups.isEmpty && types.isEmpty && !pinnedOnly && !asksForAttachment
  }

  /// Parses a query.
  ///
  /// A word that is repeated counts once.
  /// - Throws: ``QueryError`` if the text is too long, has too many words, or a condition has an unknown value.
  public init(parsing text: String) throws(QueryError) {
    guard !text.isLonger(than: Limits.query) else { throw .tooLong }
    var parser = SearchQueryParser(text)
    var words: [String] = []
    while let token = parser.next() {
      try add(token)
      if let word = token.word, !word.isEmpty { words.append(word) }
    }
    if !words.isEmpty { phrase = Term(words.joined(separator: " "), in: .title) }
  }

  /// A search for titles that contain a text.
  public init(titlePart text: String) { terms = [Term(text, in: .title)] }

  /// A search for titles that contain all words of a text, of which those beyond ``Limits/queryTerms`` do not count.
  public init(titleWords text: String) {
    terms = text.split(whereSeparator: \.isWhitespace).prefix(Limits.queryTerms).map {
      Term(String($0), in: .title)
    }
  }

  private mutating func add(_ token: SearchQueryParser.Token) throws(QueryError) {
    let folded = String(String.UnicodeScalarView(FoldedText(token.text.trimmed).scalars))
    switch token.qualifier {
    case .text(let scope):
      if scope != .anywhere || !token.text.isEmpty { try add(Term(token.text, in: scope)) }
    case .label(let field, let literal):
      try add(Term(literal, in: .anywhere, or: [Term(token.text, in: .field(field))]))
    case .group:
      guard let group = Self.groups[folded] else { throw .unknownGroup }
      groups.append(group)
    case .type:
      guard let type = Self.types[folded] else { throw .unknownType }
      types.append(type)
    case .has:
      guard ["attachment", "attachments", "附件"].contains(folded) else { throw .unknownContent }
      asksForAttachment = true
    case .is:
      guard ["pinned", "置顶"].contains(folded) else { throw .unknownState }
      pinnedOnly = true
    }
  }

  private mutating func add(_ term: Term) throws(QueryError) {
    guard !terms.contains(term) else { return }
    guard terms.count < Limits.queryTerms else { throw .tooManyTerms }
    terms.append(term)
    for case .field in [term.scope] + term.alternatives.map(\.scope) { asksForLabel = true }
  }

  private static let groups: [String: CardGroup] = [
    "personal": .personal, "个人": .personal, "company": .company, "公司": .company,
  ]
  private static let types: [String: CardType] = [
    "address": .address, "地址": .address, "invoice": .invoice, "发票": .invoice, "开票": .invoice,
    "title": .title, "抬头": .title, "发票抬头": .title, "text": .text, "文本": .text, "笔记": .text,
  ]

  /// How well a card fits: the plain counterpart of ``rank(record:hasAttachment:using:pass:)``.
  /// - Parameters:
  ///   - card: the card.
  ///   - hasAttachment: whether the card has an attachment; only looked at when ``asksForAttachment``.
  public func rank(_ card: Card, hasAttachment: Bool) -> SearchRank? {
    let head = CardRecord.Head(
      pinned: card.pinned, group: card.group, type: card.type, createdAt: card.createdAt,
      modifiedAt: card.modifiedAt)
    guard matches(head, hasAttachment: hasAttachment) else { return nil }
    let texts = card.searchedTexts.map { (part: $0.part, folded: FoldedText($0.value)) }
    var worst = SearchRank.title
    for term in terms {
      let found = texts.filter { text in
        ([term] + term.alternatives).contains { $0.applies(to: text.part) && $0.isIn(text.folded) }
      }
      guard let place = found.map({ SearchRank($0.part.role) }).min() else { return nil }
      if term.isRanked { worst = max(worst, place) }
    }
    return rank(worst) { $0.rank(ofTitle: FoldedText(card.title)) }
  }

  /// Whether the conditions hold that concern no text.
  func matches(_ head: CardRecord.Head, hasAttachment: Bool) -> Bool {
    groups.allSatisfy { $0 == head.group } && types.allSatisfy { $0 == head.type }
      && (head.pinned || !pinnedOnly) && (hasAttachment || !asksForAttachment)
  }
}

extension SearchQuery.Term {
  /// Whether the term is a part of a text, as it is, as pinyin or as a number.
  func isIn(_ text: FoldedText) -> Bool {
    text.contains(scalars) || pinyin.map(text.contains) ?? false
      || number.map { text.firstMatch(of: $0, from: 0) != nil } ?? false
  }

  func applies(to part: Card.SearchedPart) -> Bool {
    switch (scope, part) {
    case (.anywhere, _), (.title, .title), (.tag, .tag): true
    case (.field(let wanted), .field(let field)): wanted.keys.contains(field.key)
    case (.field(let wanted), .extraField(let label)): wanted.label == FoldedText(label).utf8
    default: false
    }
  }
}

extension Card {
  /// A part of a card that can be searched.
  enum SearchedPart {
    case title
    case field(FieldTemplate)
    case extraField(label: String)
    case tag

    var role: CardRecord.Role {
      switch self {
      case .title: .title
      case .field: .field
      case .extraField: .extraField
      case .tag: .tag
      }
    }
  }

  /// The texts to search, in the order of matches, without concealed ones.
  var searchedTexts: [(part: SearchedPart, value: String)] {
    [(.title, title)]
      + orderedFields.filter { !$0.field.concealed }.map { (.field($0.field), $0.value) }
      + extraFields.filter { !$0.concealed }.map { (.extraField(label: $0.label), $0.value) }
      + tags.map { (.tag, $0) }
  }
}
