import Identifiers
import VaultModel

/// The cards in list order (R16): ids, times and pins only.
///
/// The array is in reverse list order: most changes concern the newest card, which is then near the array's end.
struct CardIndex {
  private var reversed: [CardOrder] = []

  /// The number of cards.
  var count: Int { reversed.count }

  init() {}

  /// Makes an index of cards that are sorted by ``areReversed(_:_:)``.
  init(reversed: [CardOrder]) {
    self.reversed = reversed
  }

  /// Returns whether the left card is listed after the right one.
  static func areReversed(_ left: CardOrder, _ right: CardOrder) -> Bool {
    right < left
  }

  /// The time of the newest modification; nil without cards.
  var newestModification: Timestamp? {
    let firstUnpinned = reversed.last { !$0.pinned }
    return [reversed.last, firstUnpinned].compactMap { $0?.modifiedAt }.max()
  }

  /// Linear in the number of cards.
  func contains(_ id: Identifier) -> Bool {
    reversed.contains { $0.id == id }
  }

  /// Inserts a card that the index does not have.
  mutating func insert(_ order: CardOrder) {
    reversed.insert(order, at: position(of: order))
  }

  /// Inserts cards; sorts once for many.
  mutating func insert(contentsOf orders: [CardOrder]) {
    guard orders.count > 16 else { return orders.forEach { insert($0) } }
    reversed += orders
    reversed.sort(by: Self.areReversed)
  }

  /// Removes a card.
  ///
  /// - Returns: whether the index had it.
  @discardableResult mutating func remove(_ order: CardOrder) -> Bool {
    let position = position(of: order)
    guard position < reversed.count, reversed[position] == order else { return false }
    reversed.remove(at: position)
    return true
  }

  /// Linear in the number of cards.
  mutating func remove(_ id: Identifier) {
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
