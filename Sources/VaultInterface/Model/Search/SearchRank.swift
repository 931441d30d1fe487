/// How well a card fits the words that a person typed. A smaller rank is listed earlier; cards of one rank are in the order of
/// R16.
public enum SearchRank: Int, CaseIterable, Comparable, Sendable {
  /// The words are the title.
  case wholeTitle
  /// The title begins with the words.
  case beginningOfTitle
  /// Every word is in the title. Qualifiers rank nothing: a query without words has this rank alone.
  case title
  /// A word is only in a tag.
  case tag
  /// A word is only in a value.
  case value

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  init(_ role: CardRecord.Role) {
    switch role {
    case .title: self = .title
    case .tag: self = .tag
    case .field, .extraField, .attachment: self = .value
    }
  }
}

extension SearchQuery {
  /// The rank of a card that matches.
  ///
  /// - Parameters:
  ///   - worst: the worst place in which a word is found first.
  ///   - title: how much of the title a text is; nil if the title does not begin with it.
  func rank(_ worst: SearchRank, title: (Term) -> SearchRank?) -> SearchRank {
    guard worst == .title, let phrase else { return worst }
    return title(phrase) ?? .title
  }
}

extension SearchQuery.Term {
  /// Whether it is a word without a qualifier, or for titles.
  var isRanked: Bool { scope == .anywhere || scope == .title }

  /// Whether a folded title is the term, or begins with it, as it is or as pinyin.
  func rank(ofTitle title: FoldedText) -> SearchRank? {
    if title.scalars == scalars { return .wholeTitle }
    let read = pinyin.flatMap { title.rank(beginningWith: $0) }
    return title.scalars.starts(with: scalars) ? min(read ?? .beginningOfTitle, .beginningOfTitle) : read
  }

  /// Whether the folded title in a buffer is the term, or begins with it, as it is or as pinyin.
  func rank(ofTitle title: Range<Int>, in buffer: borrowing SearchBuffer) -> SearchRank? {
    buffer.withBytes { searched in
      let begins = searched.begins(with: bytes, in: title)
      if begins, title.count == bytes.count { return .wholeTitle }
      let read = pinyin.flatMap { searched.rank(beginningWith: $0, in: title) }
      return begins ? min(read ?? .beginningOfTitle, .beginningOfTitle) : read
    } ?? nil
  }
}
