import VaultStore

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
    _ make: () -> Visitor, doing first: () throws -> Void
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
