package import VaultCrypto
package import VaultInterface
import VaultStore
package import Wire

/// A summary of all cards: order, record hash, attachments, damage.
package struct VaultSummary: CardVisitor {
  package static let visitsTrash = true
  /// Whether the texts and fields of each card are checked too, which takes longer.
  private let checksTexts: Bool
  package private(set) var count: UInt64 = 0
  package var hash = RecordHash()
  /// In the order of ``CardIndex`` once the visitor finished.
  private(set) var orders: [CardOrder] = []
  private(set) var titles = TitleIndex()
  /// The attachments, each with its card.
  package private(set) var attachments: [(card: Identifier, places: [IndexedAttachment])] = []
  package private(set) var damaged: Set<Identifier> = []
  private let scratch = Scratch()

  package init(checksTexts: Bool = false) {
    self.checksTexts = checksTexts
  }

  package mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader
  ) {
    count += 1
    let card = id
    if let element = try? reader.element(.card, id, revision, sealed) { hash.add(element) }
    if let record, let (head, places) = content(of: record),
      let title = try? CardRecord.titleHash(of: record, using: &scratch.buffer)
    {
      titles.add(title, of: card)
      orders.append(
        CardOrder(pinned: head.pinned, modifiedAt: head.modifiedAt, id: card, isInTrash: head.isInTrash))
      if !places.isEmpty { attachments.append((card, places)) }
      for place in places {
        if let element = try? reader.element(of: place) { hash.add(element) }
      }
    } else {
      damaged.insert(card)
    }
  }

  /// How many of the cards are in the trash.
  package var trashCount: Int { orders.count(where: \.isInTrash) }

  package mutating func merge(_ other: VaultSummary) {
    count += other.count
    hash.add(other.hash)
    orders = Self.merged(orders, other.orders)
    titles.add(other.titles)
    attachments += other.attachments
    damaged.formUnion(other.damaged)
  }

  package mutating func finish() {
    orders.sort(by: CardIndex.areReversed)
  }

  /// Merges two sorted lists.
  private static func merged(_ left: [CardOrder], _ right: [CardOrder]) -> [CardOrder] {
    var merged: [CardOrder] = []
    merged.reserveCapacity(left.count + right.count)
    var position = 0
    for order in right {
      while position < left.count, CardIndex.areReversed(left[position], order) {
        merged.append(left[position])
        position += 1
      }
      merged.append(order)
    }
    return merged + left[position...]
  }

  /// Returns the head and the attachments of a record; nil if any entry of it is malformed.
  private func content(of record: RawSpan) -> (CardRecord.Head, [IndexedAttachment])? {
    do {
      if checksTexts { try CardRecord.check(record) }
      return (try CardRecord.head(of: record), try CardRecord.attachments(of: record))
    } catch {
      return nil
    }
  }
}
