public import VaultInterface
import VaultStore
import Wire

/// The card that a name stands for.
public struct NamedCard: Sendable {
  /// The card without its values.
  public let card: Card
  /// Whether the name is the card's id or its whole title; false for a guess, which a person has to confirm.
  public let isExact: Bool
}

extension CardLists {
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
