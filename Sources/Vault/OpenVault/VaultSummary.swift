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

extension OpenVault {
  /// The number of cards from which a second thread pays off: for fewer, waking it takes longer than it saves.
  static let sharedScanCount = 500

  /// Visits every card, then runs `body` in a snapshot with the same cards.
  ///
  /// - Parameter make: makes a visitor for each thread.
  func reading<Visitor: CardVisitor, Value>(
    _ make: () -> Visitor, _ body: (Visitor, borrowing ReadTransaction) throws -> Value
  ) throws -> Value {
    let (visitor, scanned) = try scan(make)
    return try reading { transaction in
      guard generation != scanned else { return try body(visitor, transaction) }
      var anew = make()
      try reader.visitCards(&anew, transaction)
      anew.finish()
      return try body(anew, transaction)
    }
  }

  /// Visits every card, on two threads if there are many.
  ///
  /// Both threads read the same generation. If another process writes in between, this thread scans again alone.
  ///
  /// - Parameters:
  ///   - make: makes a visitor for each thread.
  ///   - first: runs on this thread before its share of the scan.
  /// - Returns: the merged visitor, and the generation that was read.
  func scan<Visitor: CardVisitor>(
    _ make: () -> Visitor, doing first: () throws -> Void = {}
  ) throws -> (visitor: Visitor, generation: Int64) {
    guard head.cardCount >= Self.sharedScanCount, let otherReader = takeSecondReader() else {
      try first()
      return try scanAlone(make())
    }
    defer { returnSecondReader() }
    let numbers = SharedRange(cards: head.cardCount)
    let (lower, upper) = (make(), make())
    let checkpoint = reader.checkpoint.shared(in: numbers)
    let parallel = ParallelTask {
      try otherReader.checking(checkpoint) {
        var visitor = upper
        let generation = try otherReader.visitCards(&visitor, of: numbers, from: .high)
        visitor.finish()
        return (visitor, generation)
      }
    }
    var visitor = lower
    let generation = Result {
      try first()
      return try reader.visitCards(&visitor, of: numbers, from: .low)
    }
    if case .failure = generation { numbers.abandon() }
    visitor.finish()
    let other = Result { try parallel.join { if Task.isCancelled { numbers.abandon() } } }
    let generationRead = try generation.get()
    guard let other = try other.get() else { return (visitor, generationRead) }
    guard generationRead == other.1 else { return try scanAlone(make()) }
    visitor.merge(other.0)
    return (visitor, generationRead)
  }

  private func scanAlone<Visitor: CardVisitor>(
    _ visitor: consuming Visitor
  ) throws -> (visitor: Visitor, generation: Int64) {
    let generation = try reader.visitCards(&visitor)
    visitor.finish()
    return (visitor, generation)
  }
}
