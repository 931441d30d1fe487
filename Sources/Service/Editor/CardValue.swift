import Vault
import VaultInterface
import Wire

/// A card or a field of it, which is to be inserted into a document.
struct CardValue {
  private let card: Identifier
  private let title: String
  /// Nil for the whole card, which is inserted without its concealed fields.
  private let field: FieldName?

  /// - Parameter field: a key or label.
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/fieldNotFound(_:)``.
  init(of card: Identifier, field: String?, _ context: EditorContext) throws {
    let names = try context.session.names(of: card)
    self.card = card
    title = names.title
    self.field = try field.map { name in
      guard let field = names.field(name) else { throw VaultError.fieldNotFound(name) }
      return field
    }
  }

  /// The value that a placeholder names: a field of a card, or the card if all of the placeholder is its name.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/cardAmbiguous(_:total:)``, ``VaultError/fieldNotFound(_:)``.
  init(named name: String, _ context: EditorContext) async throws {
    let (card, field) = try await Self.find(name, context)
    try self.init(of: card, field: field, context)
  }

  private static func find(
    _ name: String, _ context: EditorContext
  ) async throws -> (card: Identifier, field: String?) {
    do {
      return (try await card(named: name, context), nil)
    } catch VaultError.cardNotFound {
      guard let (title, field) = Placeholder.parts(of: name) else { throw VaultError.cardNotFound(nil) }
      return (try await card(named: title, context), field)
    }
  }

  private static func card(named name: String, _ context: EditorContext) async throws -> Identifier {
    try await context.work.read { try $0.card(named: name, guesses: false) }.card.id
  }

  /// Has the editor insert the value. The user is asked before if it is concealed.
  ///
  /// - Parameters:
  ///   - place: what it replaces.
  ///   - method: the entry in the event log.
  /// - Throws: ``EditError``, ``VaultError/locked``.
  func insert(at place: EditTarget, as method: String, _ context: EditorContext) async throws {
    _ = try context.version(for: place)
    try await context.untilLocked {
      if field?.isConcealed == true {
        guard try await context.waiting({ try await context.ask(question(context)) }) else { return }
        // An answer that arrives with a lock or a revocation is too late.
        try Task.checkCancellation()
      }
      let text = try self.text(for: method, context)
      try await context.waiting { try await context.replace(place, by: text) }
    }
  }

  /// Whether to insert the value.
  func question(_ context: EditorContext) -> Localized {
    let name = field.map { "\(title) · \($0.label[context.language])" } ?? title
    return Localized("Insert \(name) into this document?", "是否将“\(name)”插入此文档？")
  }

  /// Has the editor insert the value, outside its requests; the user has consented if need be.
  func insertWithConsent(at place: EditTarget, as method: String, _ context: EditorContext) async throws {
    try await context.replace(place, by: try text(for: method, context))
  }

  /// Reads the value for the editor, and records that.
  private func text(for method: String, _ context: EditorContext) throws -> String {
    let form = field.map { CopyForm.field($0.name) } ?? .style(nil)
    let text = try context.session.copy(card, as: form, in: context.language).text
    context.session.record(.inserted, means: method, reason: context.editor?.client.name)
    return text
  }
}

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
