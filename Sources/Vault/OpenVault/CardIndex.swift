import VaultInterface
import VaultStore
import Wire

/// The cards in list order (R16): ids, times and pins only.
///
/// The array is in reverse list order: most changes concern the newest card, which is then near the array's end.
struct CardIndex {
  private var reversed: [CardOrder] = []
  /// The cards in the trash, which are in no list, with the times of their deletion.
  private(set) var trash: [Identifier: Timestamp] = [:]

  /// The number of cards, without those in the trash.
  var count: Int { reversed.count }

  init() {}

  /// Makes an index of cards that are sorted by ``areReversed(_:_:)``.
  init(reversed: [CardOrder]) {
    self.reversed = reversed
    guard reversed.contains(where: \.isInTrash) else { return }
    self.reversed.removeAll(where: \.isInTrash)
    for order in reversed where order.isInTrash { trash[order.id] = order.modifiedAt }
  }

  /// Returns whether the left card is listed after the right one.
  static func areReversed(_ left: CardOrder, _ right: CardOrder) -> Bool {
    right < left
  }

  /// The time of the newest modification; nil without cards.
  var newestModification: Timestamp? {
    let firstUnpinned = reversed.last { !$0.pinned }
    return ([reversed.last, firstUnpinned].compactMap { $0?.modifiedAt } + trash.values).max()
  }

  /// Linear in the number of cards.
  func contains(_ id: Identifier) -> Bool {
    reversed.contains { $0.id == id }
  }

  /// Inserts a card that the index does not have.
  mutating func insert(_ order: CardOrder) {
    if order.isInTrash {
      trash[order.id] = order.modifiedAt
      return
    }
    reversed.insert(order, at: position(of: order))
  }

  /// Removes cards and inserts others. Of many, none is moved more than once.
  ///
  /// - Parameters:
  ///   - removed: one of them that the index does not have is among those to insert, and is left out there.
  ///   - inserted: cards that the index does not have once the others are removed.
  mutating func replace(_ removed: [CardOrder], with inserted: [CardOrder]) {
    for order in removed where order.isInTrash { trash[order.id] = nil }
    for order in inserted where order.isInTrash { trash[order.id] = order.modifiedAt }
    var (gone, new) = (Set<Int>(), inserted.filter { !$0.isInTrash })
    for order in removed where !order.isInTrash {
      let position = position(of: order)
      let isHere = position < reversed.count && reversed[position] == order
      if isHere, gone.insert(position).inserted { continue }
      if let position = new.firstIndex(of: order) { new.remove(at: position) }
    }
    if gone.count + new.count > 16 {
      reversed = merged(with: new.sorted(by: Self.areReversed), without: gone.sorted())
    } else {
      for position in gone.sorted(by: >) { reversed.remove(at: position) }
      for order in new { insert(order) }
    }
  }

  private func merged(with new: [CardOrder], without gone: [Int]) -> [CardOrder] {
    var merged: [CardOrder] = []
    merged.reserveCapacity(reversed.count + new.count - gone.count)
    var (start, gone) = (0, gone[...])
    func copy(upTo end: Int) {
      while let position = gone.first, position < end {
        merged += reversed[start..<position]
        start = position + 1
        gone.removeFirst()
      }
      merged += reversed[start..<end]
      start = end
    }
    for order in new {
      copy(upTo: position(of: order))
      merged.append(order)
    }
    copy(upTo: reversed.count)
    return merged
  }

  /// Linear in the number of cards.
  mutating func remove(_ id: Identifier) {
    trash[id] = nil
    if let position = reversed.firstIndex(where: { $0.id == id }) { reversed.remove(at: position) }
  }

  /// Returns the cards after a place in the list, in list order; all of them for nil.
  func cards(after place: CardOrder?) -> some Collection<CardOrder> {
    let end = place.map(position) ?? reversed.count
    return reversed[..<end].reversed()
  }

  /// Returns the first position in the array whose card is not listed after this place.
  private func position(of place: CardOrder) -> Int {
    var (low, high) = (0, reversed.count)
    while low < high {
      let middle = low + (high - low) / 2
      if Self.areReversed(reversed[middle], place) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

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
