import VaultModel

/// Which cards there are and in which order they are listed (R16): ids, times and pins, and nothing else.
///
/// The list is kept from its end to its beginning, since what changes most is what was modified last: with the pinned
/// few behind it, a new card moves hardly anything.
struct CardIndex {
  private var reversed: [CardOrder] = []
  private var orders: [RecordIdentifier: CardOrder] = [:]

  /// How many cards there are.
  var count: Int { reversed.count }

  /// The ids in no order.
  var identifiers: some Collection<RecordIdentifier> { orders.keys }

  /// An index of no cards.
  init() {}

  /// An index of cards in any order, each once.
  init(_ cards: [CardOrder]) {
    reversed = cards.sorted(by: >)
    orders = Dictionary(cards.map { ($0.id, $0) }) { first, _ in first }
  }

  /// When a card was modified last; nil where there is no card.
  var newestModification: Timestamp? {
    let firstUnpinned = reversed.last { !$0.pinned }
    return [reversed.last, firstUnpinned].compactMap { $0?.modifiedAt }.max()
  }

  /// Where a card stands; nil where there is no such card.
  func order(of id: RecordIdentifier) -> CardOrder? { orders[id] }

  /// Takes a card in, or moves it.
  mutating func insert(_ order: CardOrder) {
    remove(order.id)
    orders[order.id] = order
    reversed.insert(order, at: position(of: order))
  }

  /// Lets a card go.
  mutating func remove(_ id: RecordIdentifier) {
    guard let order = orders.removeValue(forKey: id) else { return }
    let position = position(of: order)
    if position < reversed.count, reversed[position] == order { reversed.remove(at: position) }
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
      if reversed[middle] > place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
