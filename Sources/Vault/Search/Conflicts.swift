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
