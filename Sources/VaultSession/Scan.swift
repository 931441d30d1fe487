import VaultStore

extension OpenVault {
  /// From how many cards on a scan is shared with a second thread; below, waking one takes longer than it saves.
  static let sharedScanCount = 500

  /// Opens every card in passing, gathers what is wanted of them, and goes on in a snapshot that agrees with it: no card
  /// was added, changed or deleted in between.
  ///
  /// - Parameter make: makes what gathers, one for each thread.
  func reading<Gathered: Gathering, Value>(
    _ make: () -> Gathered, _ body: (Gathered, borrowing ReadTransaction) throws -> Value
  ) throws -> Value {
    let (gathered, scanned) = try scan(make)
    return try reading { transaction in
      guard generation != scanned else { return try body(gathered, transaction) }
      var anew = make()
      try reader.gather(&anew, transaction)
      anew.finish()
      return try body(anew, transaction)
    }
  }

  /// Opens every card in passing, on two threads where there are many, and gathers what is wanted of them.
  ///
  /// Both threads read the same generation of the vault; where another process writes in just that moment, one thread
  /// reads all of it again.
  ///
  /// - Parameters:
  ///   - make: makes what gathers, one for each thread.
  ///   - first: what this thread does before it takes its share.
  /// - Returns: what was gathered, and the generation that was read.
  func scan<Gathered: Gathering>(
    _ make: () -> Gathered, doing first: () throws -> Void = {}
  ) throws -> (gathered: Gathered, generation: Int64) {
    guard head.cardCount >= Self.sharedScanCount, let assistant = lendAssistant() else {
      try first()
      return try scanAlone(make())
    }
    defer { takeBackAssistant() }
    let numbers = SharedNumbers(cards: head.cardCount)
    let (lower, upper) = (make(), make())
    let assistance = Assistance {
      var gathered = upper
      let generation = try assistant.gather(&gathered, of: numbers, from: .high)
      gathered.finish()
      return (gathered, generation)
    }
    var gathered = lower
    let generation = Result {
      try first()
      return try reader.gather(&gathered, of: numbers, from: .low)
    }
    gathered.finish()
    let other = try assistance.result()
    let generationRead = try generation.get()
    guard let other else { return (gathered, generationRead) }
    guard generationRead == other.1 else { return try scanAlone(make()) }
    gathered.merge(other.0)
    return (gathered, generationRead)
  }

  private func scanAlone<Gathered: Gathering>(
    _ gathered: consuming Gathered
  ) throws -> (gathered: Gathered, generation: Int64) {
    let generation = try reader.gather(&gathered)
    gathered.finish()
    return (gathered, generation)
  }
}
