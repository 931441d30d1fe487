/// The order of a list that is sorted by a column (R16). Cards that are alike there are in the order of their titles.
public struct CardSort: Hashable, Sendable {
  /// The columns by which a list can be sorted.
  public enum Column: String, CaseIterable, Hashable, Sendable {
    case title, type, group, tags, modifiedAt, createdAt
  }

  public let column: Column
  /// Whether the order is reversed.
  public let descending: Bool

  public init(_ column: Column, descending: Bool = false) {
    (self.column, self.descending) = (column, descending)
  }

  /// Returns the bytes by which a card is sorted, without regard to ``descending``.
  public func key(of card: Card) -> [UInt8] {
    switch column {
    case .title: Self.key(card.title)
    case .type: Self.key(CardType.allCases.firstIndex(of: card.type) ?? 0) + Self.key(card.title)
    case .group: Self.key(CardGroup.allCases.firstIndex(of: card.group) ?? 0) + Self.key(card.title)
    case .tags: card.tags.flatMap { Self.key($0) + [0] } + [0] + Self.key(card.title)
    case .modifiedAt: Self.key(card.modifiedAt) + Self.key(card.title)
    case .createdAt: Self.key(card.createdAt) + Self.key(card.title)
    }
  }

  /// Folds a text as for searching, and puts the pinyin of each Chinese character before it.
  private static func key(_ text: String) -> [UInt8] {
    FoldedText(text).scalars.flatMap { scalar in
      let readings = Readings.of(scalar.value)
      let letters = readings.count > 0 ? readings[0].letters : 0
      return bytes(ofLetters: letters) + Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private static func bytes(ofLetters letters: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: letters >> (8 * $0)) }.filter { $0 != 0 }
  }

  private static func key(_ index: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: index)] }

  /// The time's bytes, the highest first, with the sign turned so that earlier times come first.
  private static func key(_ time: Timestamp) -> [UInt8] {
    let value = UInt64(bitPattern: time.milliseconds) ^ 1 << 63
    return (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
