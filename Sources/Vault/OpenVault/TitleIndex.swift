import VaultInterface
import VaultStore
import Wire

/// Which cards may have a title, without any title: hashes with this process's random seed, because an unlocked vault keeps no
/// decrypted text in memory.
struct TitleIndex: Sendable {
  private var entries: [(title: Int, card: Identifier)] = []
  /// The cards whose titles are to be read again.
  private(set) var changed: Set<Identifier> = []

  /// - Parameter title: as `CardRecord.titleHash(of:using:)` has it.
  mutating func add(_ title: Int, of card: Identifier) { entries.append((title, card)) }

  mutating func add(_ other: TitleIndex) { entries += other.entries }

  mutating func note(_ changes: some Sequence<Identifier>) { changed.formUnion(changes) }

  /// Takes over the titles of changed cards; nil for those that are gone.
  mutating func update(_ titles: [Identifier: Int?]) {
    guard !titles.isEmpty else { return }
    entries.removeAll { titles.keys.contains($0.card) }
    for (card, title) in titles {
      if let title { add(title, of: card) }
      changed.remove(card)
    }
  }

  /// The cards that may have a title.
  func cards(_ title: Int) -> [Identifier] {
    entries.lazy.filter { $0.title == title }.map(\.card)
  }
}

extension OpenVault {
  /// Returns the cards that pass a filter. Only those that may have its title are opened, and those that changed.
  func cards(
    _ filter: CardFilter, titled title: Int, in transaction: borrowing ReadTransaction
  ) throws -> Set<Identifier> {
    let scratch = Scratch()
    try readChangedTitles(scratch, in: transaction)
    var cards: Set<Identifier> = []
    for card in titles.cards(title) {
      let isWanted = try record(of: card, in: transaction) {
        try filter.matches(record: $0, using: &scratch.buffer)
      }
      if isWanted == true { cards.insert(card) }
    }
    return cards
  }

  /// What is read stays known if there is no time for all.
  private func readChangedTitles(_ scratch: Scratch, in transaction: borrowing ReadTransaction) throws {
    var read: [Identifier: Int?] = [:]
    defer { titles.update(read) }
    for card in titles.changed {
      let title = try record(of: card, in: transaction) {
        try CardRecord.titleHash(of: $0, using: &scratch.buffer)
      }
      read.updateValue(title, forKey: card)
    }
  }

  /// - Returns: nil if the card is gone or does not open.
  private func record<Value>(
    of card: Identifier, in transaction: borrowing ReadTransaction, _ body: (RawSpan) throws -> Value
  ) throws -> Value? {
    do {
      return try withCard(card, in: transaction) { record, _ in try body(record) }
    } catch VaultError.cardNotFound {
      return nil
    } catch VaultError.damaged {
      return nil
    }
  }
}
