public import VaultInterface
import VaultStore
import Wire

extension CardLists {
  /// Returns every conflict copy with its card, in the order of R16 of the copies.
  ///
  /// A copy that was edited or restored no longer says which card it is a copy of. As long as its title has the note, its card is
  /// the first one with the title before the note.
  public func conflicts() throws -> [CardConflict] {
    try vault.reading({ NotedTitles() }) { noted, transaction in
      let origins = try vault.origins(in: transaction)
      return try vault.index.cards(after: nil).compactMap { place in
        let copy = place.id
        if let origin = origins[copy] {
          return try vault.conflict(copy, origin, in: transaction)
        }
        return try noted.titles[copy].map { title in
          CardConflict(card: try card(titled: title, in: transaction), copy: copy, title: title)
        }
      }
    }
  }

  private func card(titled title: String, in transaction: borrowing ReadTransaction) throws -> Identifier? {
    let filter = CardFilter(title: title)
    guard let hash = filter.titleHash else { return nil }
    let found = try vault.cards(filter, titled: hash, in: transaction)
    guard found.count > 1 else { return found.first }
    return vault.index.cards(after: nil).first { found.contains($0.id) }?.id
  }

  /// The most cards that ``VaultError/cardAmbiguous(_:total:)`` lists.
  private static let candidateLimit = 20

  /// Finds the only card with an id or a whole title, in whatever case and width.
  ///
  /// - Parameter guesses: whether the beginning of an id, a part of a title, or a search for the name will do if no card has it.
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/cardAmbiguous(_:total:)``.
  public func card(named name: String, guesses: Bool) throws -> NamedCard {
    let name = name.trimmed
    guard !name.isEmpty else { throw VaultError.cardNotFound(nil) }
    let exact = try vault.reading { transaction -> Card? in
      if let id = Identifier(name), try transaction.card(id) != nil {
        return try vault.summary(id, in: transaction)
      }
      let filter = CardFilter(title: name)
      guard let hash = filter.titleHash else { return nil }
      return try onlyCard(of: vault.cards(filter, titled: hash, in: transaction), in: transaction)
    }
    if let exact { return NamedCard(card: exact, isExact: true) }
    guard guesses, let card = try guess(name) else { throw VaultError.cardNotFound(Identifier(name)) }
    return NamedCard(card: card, isExact: false)
  }

  private func guess(_ name: String) throws -> Card? {
    guard let query = try? SearchQuery(parsing: name), !query.isEmpty else { return nil }
    let prefix = Self.isPrefixOfID(name) ? name.lowercased() : nil
    let parts = try vault.reading({ FoundCards(SearchQuery(titlePart: name)) }) { found, transaction in
      let withPrefix = vault.index.cards(after: nil).lazy.map(\.id).filter { id in
        prefix.map(id.description.hasPrefix) ?? false
      }
      return try onlyCard(of: Set(found.ranks.keys).union(withPrefix), in: transaction)
    }
    if let parts { return parts }
    return try vault.reading({ FoundCards(query) }) { found, transaction in
      try onlyCard(of: Set(found.ranks.keys), in: transaction)
    }
  }

  /// Whether a text can be the beginning of an id: at least four digits.
  private static func isPrefixOfID(_ text: String) -> Bool {
    4..<36 ~= text.utf8.count
      && text.utf8.allSatisfy { $0 == 0x2D || Unicode.Scalar($0).properties.isASCIIHexDigit }
  }

  /// - Returns: nil if there is no candidate.
  private func onlyCard(of found: Set<Identifier>, in transaction: borrowing ReadTransaction) throws -> Card?
  {
    guard found.count > 1 else { return try found.first.map { try vault.summary($0, in: transaction) } }
    let listed = vault.index.cards(after: nil).lazy.map(\.id).filter(found.contains)
    let cards = try listed.prefix(Self.candidateLimit).map { try vault.summary($0, in: transaction) }
    throw VaultError.cardAmbiguous(cards, total: found.count)
  }
}

extension OpenVault {
  /// Returns what each unchanged conflict copy is a copy of, by the copy.
  fileprivate func origins(
    in transaction: borrowing ReadTransaction
  ) throws -> [Identifier: CardHistory.Origin] {
    var origins: [Identifier: CardHistory.Origin] = [:]
    try transaction.forEachHistory { _, row in
      try reader.checkpoint.pass(2 * row.sealed.count)
      if let origin = (try? reader.history(row))?.origin { origins[row.id] = origin }
    }
    return origins
  }

  /// Returns a conflict copy with its card; nil if the copy does not open.
  fileprivate func conflict(
    _ copy: Identifier, _ origin: CardHistory.Origin, in transaction: borrowing ReadTransaction
  ) throws -> CardConflict? {
    do {
      let title = try summary(copy, in: transaction).title
      let plain = String(validating: title.utf8.prefix(origin.titleByteCount), as: UTF8.self)
      let isThere = try index.trash[origin.card] == nil && transaction.card(origin.card) != nil
      return CardConflict(card: isThere ? origin.card : nil, copy: copy, title: plain ?? title)
    } catch VaultError.damaged {
      return nil
    }
  }
}

/// Collects the titles that have the note of a conflict copy, without the note.
private struct NotedTitles: CardVisitor {
  var titles: [Identifier: String] = [:]

  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) throws {
    guard let record else { return }
    titles[id] = ConflictNote.removed(from: try CardRecord.title(of: record))
  }

  mutating func merge(_ other: NotedTitles) {
    titles.merge(other.titles) { $1 }
  }
}

/// The card that a name stands for.
public struct NamedCard: Sendable {
  /// The card without its values.
  public let card: Card
  /// Whether the name is the card's id or its whole title; false for a guess, which a person has to confirm.
  public let isExact: Bool
}
