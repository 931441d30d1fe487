import VaultCrypto
import VaultInterface
package import VaultStore
package import Wire

extension VaultAccess {
  /// Notes that this replica is to publish every card.
  ///
  /// - Throws: also `CancellationError`.
  package func publishAll(_ transaction: borrowing WriteTransaction, _ change: inout VaultChange) throws {
    var rows: [HistoryRow] = []
    try transaction.read.forEachHistory { _, row in rows.append(row) }
    for row in rows {
      try Task.checkCancellation()
      var history = try reader.history(row)
      guard history.origin == nil, history.versions?.isPublisher == false else { continue }
      history.versions?.publish(in: change.generation)
      try put(history, of: row.id, transaction, &change)
    }
  }

  /// Gives every card that has none its first version, as written by this replica, when a vault begins to be synchronised.
  ///
  /// - Throws: also `CancellationError`.
  package func addFirstVersions(
    by replica: Identifier, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let side = try MergeSide(self, transaction.read)
    let source = MergeSource(write: ReplicaWrite(replica: replica, generation: change.generation))
    for id in side.families.sorted() where side.histories[id]?.versions == nil {
      try Task.checkCancellation()
      let family = side.family(id)
      let revision = side.rows[id]?.revision ?? 0
      guard var versions = try source.versions(family, MergeSide.Family(), family.live, revision: revision)
      else { continue }
      versions.base = revision - versions.context.total
      let copies = Set(family.places.values).subtracting([id]).sorted()
      versions.copies = copies
      for place in [id] + copies {
        var history = side.histories[place] ?? CardHistory()
        let tags = side.rows[place] == nil ? [] : side.tags(place)
        history.own = tags
        history.versions = place == id ? versions.of(tags) : versions.ofCopy(tags)
        try put(history, of: place, transaction, &change)
      }
    }
  }
}
