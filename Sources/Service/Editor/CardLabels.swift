import VaultInterface
import Wire

/// What items and actions call cards: their titles. Cards with equal titles have their group and tags as well, and if those are
/// equal too, the beginning of their id, because some editors list equal items once.
struct CardLabels {
  private var labels: [Identifier: String] = [:]

  init(of cards: [Card], in language: Language) {
    var rest = cards
    for name in [Self.title, Self.titleWithTags] {
      for (label, found) in Dictionary(grouping: rest, by: { name($0, language) }) where found.count == 1 {
        found.forEach { labels[$0.id] = label }
      }
      rest.removeAll { labels[$0.id] != nil }
    }
    for card in rest { labels[card.id] = Self.titleWithID(card, language) }
  }

  subscript(card: Card) -> String { labels[card.id] ?? card.title.oneLine }

  private static func title(_ card: Card, _ language: Language) -> String { card.title.oneLine }

  private static func titleWithTags(_ card: Card, _ language: Language) -> String {
    title(card, with: card.tags, language)
  }

  private static func titleWithID(_ card: Card, _ language: Language) -> String {
    title(card, with: [String(card.id.description.prefix(8))], language)
  }

  private static func title(_ card: Card, with parts: [String], _ language: Language) -> String {
    let (title, parts) = (card.title.oneLine, [card.group.label[language]] + parts.map(\.oneLine))
    return Localized(
      "\(title) (\(parts.joined(separator: ", ")))", "\(title)（\(parts.joined(separator: "、"))）")[language]
  }
}

extension String {
  /// The text with white space in place of line breaks and control characters.
  var oneLine: String {
    String(
      map {
        $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0
      })
  }
}
