import Synchronization
import VaultCrypto
import VaultStore
import Wire

/// The families of the present contents by their tags, which find the card of a conflict copy that somebody has changed: its id alone
/// does not tell.
package final class ContentFamilies: Sendable {
  private struct State {
    /// That of the vault with these contents; nil before they were read.
    var generation: Int64?
    /// Some may not have the content any more.
    var families: [UInt64: Identifier] = [:]

    mutating func add(_ id: Identifier, _ history: CardHistory) {
      for tag in history.own { families[tag] = history.origin?.card ?? id }
    }
  }

  private let state = Mutex(State())

  /// Returns the families that may have these contents. Reads all histories if other than merges have changed the vault since.
  ///
  /// - Parameter generation: that of the vault.
  /// - Throws: also `CancellationError`.
  func families(
    with tags: Set<UInt64>, in generation: Int64, _ reader: RecordReader,
    _ transaction: borrowing ReadTransaction
  ) throws -> [Identifier] {
    guard !tags.isEmpty else { return [] }
    if state.withLock({ $0.generation }) != generation {
      var read = State(generation: generation)
      try transaction.forEachHistory { _, row in
        try Task.checkCancellation()
        read.add(row.id, try reader.history(row))
      }
      let found = read
      state.withLock { $0 = found }
    }
    return state.withLock { state in tags.compactMap { state.families[$0] } }
  }

  /// Notes the histories that a merge writes.
  func note(_ histories: [Identifier: CardHistory], after before: Int64, in generation: Int64) {
    state.withLock { state in
      guard state.generation == before else { return }
      state.generation = generation
      for (id, history) in histories { state.add(id, history) }
    }
  }
}

extension CardHistory {
  /// The contents that a card may have had as a conflict copy: it has seen more tags than it has writes of its own.
  var tagsOfCopy: Set<UInt64> {
    let writes = versions?.context.total ?? 0
    let known = own.count + replaced.count + (deletedAt == nil ? 0 : 1)
    return origin == nil && (known > writes || replaced.count == Self.limit) ? Set(replaced) : []
  }
}
