import VaultCrypto
import VaultInterface
package import VaultStore
package import Wire

/// Collects something from every card during a scan. Each thread of a scan has its own visitor.
package protocol CardVisitor: Sendable {
  /// Whether cards in the trash are visited too.
  static var visitsTrash: Bool { get }

  /// Visits one card.
  ///
  /// - Parameter record: the decrypted card, valid during the call; nil if it does not open.
  mutating func visit(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: RecordReader) throws

  /// Called on the visitor's own thread when it has seen all of its cards.
  mutating func finish()

  /// Adds what another visitor collected and finished.
  mutating func merge(_ other: Self)
}

extension CardVisitor {
  package static var visitsTrash: Bool { false }

  package mutating func finish() {}
}

/// Memory for folding texts, used by one thread's visitor alone.
final class Scratch: @unchecked Sendable {
  var buffer = SearchBuffer()
}

extension RecordReader {
  /// Visits the cards whose numbers lie in a range.
  ///
  /// - Returns: the generation that was read.
  package func visitCards<Visitor: CardVisitor>(
    _ visitor: inout Visitor, in numbers: ClosedRange<Int64> = .min ... .max
  ) throws -> Int64 {
    try file.read { transaction in
      try visitCards(&visitor, in: numbers, transaction)
      return try transaction.vault().generation
    }
  }

  /// Visits this thread's share of the cards.
  ///
  /// - Returns: the generation that was read.
  func visitCards<Visitor: CardVisitor>(
    _ visitor: inout Visitor, of shared: SharedRange, from end: SharedRange.End
  ) throws -> Int64 {
    try file.read { transaction in
      let generation = try transaction.vault().generation
      while let numbers = shared.take(from: end) { try visitCards(&visitor, in: numbers, transaction) }
      return generation
    }
  }

  /// Visits the cards whose numbers lie in a range, in their order, until that has taken some milliseconds.
  ///
  /// - Returns: the number from which to go on; nil if that was the last card.
  package func visitSomeCards<Visitor: CardVisitor>(
    _ visitor: inout Visitor, in numbers: ClosedRange<Int64>
  ) throws -> Int64? {
    try untilPause { transaction, begin in
      defer { buffer.wipe() }
      try transaction.forEachCard(in: numbers) { number, id, revision, sealed in
        try begin(number, 2 * sealed.byteCount + 512)
        try visit(&visitor, number, id, revision, sealed)
      }
    }
  }

  /// Reads for some milliseconds.
  ///
  /// - Parameter body: calls its argument with each record's number before it works on it, and with that work, in units of about a
  ///   nanosecond.
  /// - Returns: the number from which to go on; nil if `body` came to its end.
  func untilPause(
    _ body: (borrowing ReadTransaction, _ begin: (_ number: Int64, _ work: Int) throws -> Void) throws -> Void
  ) throws -> Int64? {
    var done = 0
    do {
      try file.read { transaction in
        try body(transaction) { number, work in
          guard done < Self.workLimit else { throw Pause(number: number) }
          done += work
        }
      }
      return nil
    } catch let pause as Pause {
      return pause.number
    }
  }

  /// What is done before a pause, in units of about a nanosecond.
  private static let workLimit = 8 << 20

  /// The rest is left for later, from a record's number.
  private struct Pause: Error {
    let number: Int64
  }

  /// Visits the cards whose numbers lie in a range.
  package func visitCards<Visitor: CardVisitor>(
    _ visitor: inout Visitor, in numbers: ClosedRange<Int64> = .min ... .max,
    _ transaction: borrowing ReadTransaction
  ) throws {
    defer { buffer.wipe() }
    try transaction.forEachCard(in: numbers) { number, id, revision, sealed in
      // Opening a record and hashing it, and what SQLite does for each.
      try checkpoint.pass(2 * sealed.byteCount + 512)
      try visit(&visitor, number, id, revision, sealed)
    }
  }

  private func visit<Visitor: CardVisitor>(
    _ visitor: inout Visitor, _ number: Int64, _ id: Identifier, _ revision: Int64, _ sealed: RawSpan
  ) throws {
    // A card's number follows from its id; one with another number was moved, and counts as damaged.
    guard number == id.number else {
      let place = Identifier(high: UInt64(bitPattern: number), low: id.low)
      return try visitor.visit(place, revision, sealed, nil, self)
    }
    do {
      try open(.card, id, revision, sealed)
      try buffer.withContent { (record) throws in
        if !Visitor.visitsTrash, try CardRecord.head(of: record).isInTrash { return }
        try visitor.visit(id, revision, sealed, record, self)
      }
    } catch let error where error is CryptoError || error is CardRecordError {
      try visitor.visit(id, revision, sealed, nil, self)
    }
  }
}

/// Calls a check at intervals during long work; an error thrown by the check ends the work.
struct CancellationPoint: Sendable {
  /// The work between two checks, in units of about a nanosecond.
  private static let interval = 256 << 10
  /// The work that the session's own thread does at once: tens of milliseconds.
  static let longest = 32 << 20

  private let check: @Sendable (_ work: Int) throws -> Void
  private var work = 0
  private var next = interval

  /// - Parameter check: is given the work since the beginning; what it throws ends the work.
  init(_ check: @escaping @Sendable (_ work: Int) throws -> Void) {
    self.check = check
  }

  /// Notes work that was done, or is about to be.
  mutating func pass(_ amount: Int) throws {
    work += amount
    guard work >= next else { return }
    next = work + Self.interval
    try check(work)
  }

  /// Lets work go on to its end.
  static let none = CancellationPoint { _ in }
  /// Ends work that takes long with ``WorkLimitExceeded``.
  static let short = CancellationPoint { work in guard work < longest else { throw WorkLimitExceeded() } }
  /// Ends the work of a cancelled task.
  static let cancellable = CancellationPoint { _ in try Task.checkCancellation() }

  /// The same for the thread that does the other half of a scan, which ends with this one's.
  func shared(in range: SharedRange) -> CancellationPoint {
    CancellationPoint { [check] work in
      guard !range.isAbandoned else { throw CancellationError() }
      try check(work)
    }
  }
}

/// The work takes too long for the session's thread.
struct WorkLimitExceeded: Error {}
