/// A run of code points in a snippet.
public struct SnippetRange: Hashable, Sendable {
  /// The index of the first code point.
  public let start: Int
  /// The number of code points.
  public let length: Int

  public init(start: Int, length: Int) {
    self.start = start
    self.length = length
  }
}

/// The matches of a query in a part of a card, for highlighting (R7).
public struct FieldMatch: Hashable, Sendable {
  /// `title`, `tags`, the key of a field, or the label of an extra field.
  public let field: String
  /// The name that a person sees.
  public let label: Localized
  /// The value, or the part of it around the first match; line breaks are shown as spaces, cut ends as `…`.
  public let snippet: String
  /// The matches in the snippet, in order, without overlap.
  public let ranges: [SnippetRange]
}

extension SearchQuery {
  /// Where the query's words are in the card of a record that matches: the title first, then fields in the template's
  /// order, extra fields, and one match for each tag. Conditions and empty words give nothing.
  ///
  /// The record is read in place: nothing of it is copied but what a match shows, and the values that something is found in
  /// while they are looked at.
  /// - Parameters:
  ///   - record: the bytes of the record.
  ///   - buffer: memory that is used again for the next record; wipe it after the last.
  ///   - pass: called with the amount of work done, in units of about a nanosecond; an error that it throws ends the search.
  /// - Throws: ``CardRecordError`` if the part of the record that was read is malformed; what `pass` throws.
  public func highlights(
    in record: RawSpan, using buffer: inout SearchBuffer, pass: (_ work: Int) throws -> Void = { _ in }
  ) throws -> [FieldMatch] {
    let template = try CardRecord.head(of: record).type.template
    guard !terms.isEmpty else { return [] }
    try fold(record, into: &buffer, pass)
    var (matches, tags): ([FieldMatch], [FieldMatch]) = ([], [])
    for segment in buffer.segments {
      let terms = try terms.flatMap { [$0] + $0.alternatives }.filter { (term) throws in
        guard term.applies(to: segment, in: buffer, of: record) else { return false }
        try pass(segment.text.count * 4)
        return term.isIn(buffer, segment)
      }
      guard !terms.isEmpty else { continue }
      let part: Card.SearchedPart
      switch segment.role {
      case .title: part = .title
      case .tag: part = .tag
      case .extraField: part = .extraField(label: try CardRecord.text(segment.key, of: record))
      case .attachment: continue
      case .field:
        guard let field = template.field(try CardRecord.text(segment.key, of: record)) else {
          throw CardRecordError.misplacedField
        }
        part = .field(field)
      }
      try pass(segment.text.count * 32)
      let value = SearchBuffer.scalars(segment.value, of: record)
      guard let match = try Self.match(of: terms, in: value, part, pass) else { continue }
      if segment.role == .tag { tags.append(match) } else { matches.append(match) }
    }
    return matches + tags
  }

  /// The plain counterpart of ``highlights(in:using:pass:)``.
  public func highlights(in card: Card) -> [FieldMatch] {
    card.searchedTexts.compactMap { text in
      Self.match(
        of: terms.flatMap { [$0] + $0.alternatives }.filter { $0.applies(to: text.part) },
        in: Array(text.value.unicodeScalars), text.part
      ) { _ in }
    }
  }

  /// Returns the matches of terms in a part of a card; nil for none.
  private static func match(
    of terms: [Term], in value: [Unicode.Scalar], _ part: Card.SearchedPart,
    _ pass: (_ work: Int) throws -> Void
  ) rethrows -> FieldMatch? {
    let folded = FoldedText(value)
    let work = folded.scalars.count * 16
    let firsts = try terms.flatMap { (term) throws in
      try pass(work)
      return term.ranges(in: folded, before: 0).map(\.lowerBound)
    }
    guard let first = firsts.min() else { return nil }
    let window = Snippet.window(in: value, around: first)
    let ranges = try terms.flatMap { (term) throws in
      try pass(work)
      return term.ranges(in: folded, before: window.upperBound)
    }
    let snippet = Snippet(of: value, in: window, marking: merged(ranges))
    return FieldMatch(field: part.name, label: part.label, snippet: snippet.text, ranges: snippet.ranges)
  }

  /// The ranges in order, those that overlap or touch made one.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

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
  /// The matches in a text, as it is, as pinyin and as a number: ranges of code points of the original.
  ///
  /// - Parameter limit: where the matches begin that are of no use any more; the first such match is returned still.
  fileprivate func ranges(in text: FoldedText, before limit: Int) -> [Range<Int>] {
    let sought = SearchPattern(scalars)
    var ranges = text.ranges(before: limit, takingMarks: true) { text.firstMatch(of: sought, from: $0) }
    if let pinyin {
      ranges += text.ranges(before: limit, takingMarks: false) { text.firstMatch(of: pinyin, from: $0) }
    }
    if let number {
      ranges += text.ranges(before: limit, takingMarks: false) { text.firstMatch(of: number, from: $0) }
    }
    return ranges
  }

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

extension FoldedText {
  /// The matches that a search finds one after another, up to the first that begins at `limit` or behind it.
  fileprivate func ranges(
    before limit: Int, takingMarks takesMarks: Bool, _ next: (_ start: Int) -> Range<Int>?
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while let match = next(start), let range = original(of: match, takesMarks: takesMarks) {
      ranges.append(range)
      guard range.lowerBound < limit else { break }
      start = match.upperBound
    }
    return ranges
  }
}

extension Card.SearchedPart {
  fileprivate var name: String {
    switch self {
    case .title: "title"
    case .field(let field): field.key
    case .extraField(let label): label
    case .tag: "tags"
    }
  }

  fileprivate var label: Localized {
    switch self {
    case .title: CardTemplate.titleLabel
    case .field(let field): field.label
    case .extraField(let label): Localized(verbatim: label)
    case .tag: CardTemplate.tagsLabel
    }
  }
}

/// The part of a value that is shown for a match.
private struct Snippet {
  /// The maximum length of a snippet, in code points; longer values are cut.
  static let length = 80
  /// The length of text before the first match.
  static let lead = 24

  let text: String
  let ranges: [SnippetRange]

  init(of scalars: [Unicode.Scalar], in window: Range<Int>, marking matches: [Range<Int>]) {
    var view = String.UnicodeScalarView()
    if window.lowerBound > 0 { view.append("…") }
    let shift = view.count - window.lowerBound
    view.append(contentsOf: scalars[window].map { $0.isLineBreak ? " " : $0 })
    if window.upperBound < scalars.count { view.append("…") }
    text = String(view)
    ranges = matches.map { $0.clamped(to: window) }.filter { !$0.isEmpty }
      .map { SnippetRange(start: $0.lowerBound + shift, length: $0.count) }
  }

  /// Returns the window around a match. A base character and its combining marks stay together, up to a limit.
  static func window(in scalars: [Unicode.Scalar], around match: Int) -> Range<Int> {
    guard scalars.count > length else { return scalars.indices }
    var start = max(0, min(match - lead, scalars.count - length))
    var end = start + length
    for _ in 0..<16 {
      if start > 0, scalars[start].properties.isGraphemeExtend { start -= 1 }
      if end < scalars.count, scalars[end].properties.isGraphemeExtend { end += 1 }
    }
    return start..<end
  }
}

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
