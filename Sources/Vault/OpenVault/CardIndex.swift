import VaultInterface
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
