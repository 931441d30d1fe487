import Identifiers
import LanguageServer
import VaultModel
import VaultSession

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

  /// The value that a placeholder names: a field of a card, or the card whose title is all of the name.
  ///
  /// - Throws: ``EditError/noSuchCard``, ``EditError/severalCards``, ``VaultError/fieldNotFound(_:)``.
  init(named name: String, _ context: EditorContext) async throws {
    if let card = try await Self.card(titled: name, context) {
      try self.init(of: card, field: nil, context)
      return
    }
    guard let (title, field) = Placeholder.parts(of: name),
      let card = try await Self.card(titled: title, context)
    else { throw EditError.noSuchCard }
    try self.init(of: card, field: field, context)
  }

  private static func card(titled title: String, _ context: EditorContext) async throws -> Identifier? {
    var (found, cursor): ([Identifier], String?) = ([], nil)
    repeat {
      let page = try await context.work.read { [cursor] in
        try $0.cards(CardFilter(title: title), limit: Suggestions.cardLimit, cursor: cursor)
      }
      found += page.items.filter { $0.title == title }.map(\.id)
      cursor = page.nextCursor
    } while cursor != nil && found.count < 2
    guard found.count < 2 else { throw EditError.severalCards }
    return found.first
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
    let form = field.map { CopyForm.field($0.name) } ?? .style(.labelled)
    let text = try context.session.copy(card, as: form, in: context.language).text
    context.session.record(.inserted, means: method, reason: context.editor?.client.name)
    return text
  }
}
