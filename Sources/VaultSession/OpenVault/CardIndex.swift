import Identifiers
import VaultModel

/// Which cards there are and in which order they are listed (R16): ids, times and pins, and nothing else.
///
/// The list is kept from its end to its beginning, since what changes most is what was modified last: with the pinned
/// few behind it, a new card moves hardly anything.
struct CardIndex {
  private var reversed: [CardOrder] = []

  /// How many cards there are.
  var count: Int { reversed.count }

  /// An index of no cards.
  init() {}

  /// An index of cards in the order of ``areReversed(_:_:)``, each once.
  init(reversed: [CardOrder]) {
    self.reversed = reversed
  }

  /// Whether the left card stands before the right one in an index, which is behind it in every list.
  static func areReversed(_ left: CardOrder, _ right: CardOrder) -> Bool {
    right < left
  }

  /// When a card was modified last; nil where there is no card.
  var newestModification: Timestamp? {
    let firstUnpinned = reversed.last { !$0.pinned }
    return [reversed.last, firstUnpinned].compactMap { $0?.modifiedAt }.max()
  }

  /// Whether a card is there, which takes a look at every one of them.
  func contains(_ id: Identifier) -> Bool {
    reversed.contains { $0.id == id }
  }

  /// Takes a card in that is not there.
  mutating func insert(_ order: CardOrder) {
    reversed.insert(order, at: position(of: order))
  }

  /// Takes cards in that are not there: many at once, for hardly more than one takes.
  mutating func insert(contentsOf orders: [CardOrder]) {
    guard orders.count > 16 else { return orders.forEach { insert($0) } }
    reversed += orders
    reversed.sort(by: Self.areReversed)
  }

  /// Lets a card go from its place.
  mutating func remove(_ order: CardOrder) {
    let position = position(of: order)
    if position < reversed.count, reversed[position] == order { reversed.remove(at: position) }
  }

  /// Lets a card go wherever it is, which takes a look at every one of them.
  mutating func remove(_ id: Identifier) {
    if let position = reversed.firstIndex(where: { $0.id == id }) { reversed.remove(at: position) }
  }

  /// The cards that stand behind a place in the list, in order; from the beginning where no place is given.
  func cards(after place: CardOrder?) -> some Collection<CardOrder> {
    let end = place.map(position) ?? reversed.count
    return reversed[..<end].reversed()
  }

  /// The first position, counted from the list's end, whose card does not stand behind this place.
  private func position(of place: CardOrder) -> Int {
    var (low, high) = (0, reversed.count)
    while low < high {
      let middle = low + (high - low) / 2
      if Self.areReversed(reversed[middle], place) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
