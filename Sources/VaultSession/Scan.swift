import VaultStore

extension OpenVault {
  /// From how many cards on a scan is shared with a second thread; below, waking one takes longer than it saves.
  static let sharedScanCount = 2_000

  /// Opens every card in passing, on two threads where there are many, and gathers what is wanted of them.
  ///
  /// Both threads read the same generation of the vault; where another process writes in just that moment, one thread
  /// reads all of it again.
  ///
  /// - Parameter make: makes what gathers, one for each thread.
  func scan<Gathered: Gathering>(_ make: () -> Gathered) async throws -> Gathered {
    guard head.cardCount >= Self.sharedScanCount, let assistant = assistant() else {
      return try scanAlone(make())
    }
    let (lower, upper) = (make(), make())
    let otherHalf = Task.detached {
      var gathered = upper
      let generation = try assistant.gather(&gathered, in: 0 ... .max)
      gathered.finish()
      return (gathered, generation)
    }
    var gathered = lower
    let generation = Result { try reader.gather(&gathered, in: .min ... -1) }
    gathered.finish()
    let other = try await otherHalf.value
    guard try generation.get() == other.1 else { return try scanAlone(make()) }
    gathered.merge(other.0)
    return gathered
  }

  private func scanAlone<Gathered: Gathering>(_ gathered: consuming Gathered) throws -> Gathered {
    _ = try reader.gather(&gathered)
    gathered.finish()
    return gathered
  }
}
