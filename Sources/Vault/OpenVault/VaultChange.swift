package import VaultCrypto
package import VaultInterface
import VaultStore
public import Wire

/// The effect of one transaction on head, index and settings; records go into the file directly.
package struct VaultChange: Sendable {
  /// The generation that the transaction creates.
  package let generation: Int64
  /// The head that accounts for the records afterwards.
  package var head: VaultHead
  /// Cards to add to the index after the commit.
  package var indexed: [CardOrder] = []
  package var removed: [CardOrder] = []
  /// The attachments of the cards that were written.
  package var attachments: [(card: Identifier, places: [IndexedAttachment])] = []
  /// The tags of the cards that were written; nil if they were not noted for every card.
  private(set) var tags: [TagChange]? = []
  /// The settings after the commit.
  var settings: (settings: Settings, values: KeyValueText, revision: Int64)?
  /// The slot of the password after the commit; nil if it is what it was.
  package var passwordSlot: Identifier?
  /// The replica after the commit.
  var sync: (replica: Identifier?, revision: Int64)?
  /// Whether this transaction made sure that histories may have version vectors.
  var allowsVersionVectors = false
  /// Whether this transaction wrote a card that this replica is to publish.
  package internal(set) var hasUnpublished = false

  /// Names a card as changed in the head, so that other processes read it again.
  package mutating func markChanged(_ card: Identifier) {
    head.noteChange(of: card, at: UInt64(clamping: generation))
    tags = nil
  }

  /// Names a card as changed, as ``markChanged(_:)`` does, and notes its tags. After every such change it is known how tags
  /// are written, without reading all cards.
  mutating func markChanged(_ card: Identifier, tags before: [String], to after: [String]) {
    head.noteChange(of: card, at: UInt64(clamping: generation))
    guard !before.elementsEqual(after, by: { $0.utf8.elementsEqual($1.utf8) }) else { return }
    tags?.append(TagChange(card: card, before: before, after: after))
  }
}

extension OpenVault {
  /// Changes records in one transaction, together with the head that accounts for them.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` for a vault that is not intact; ``VaultError/older``; what `body` throws; `StoreError`.
  func change<Value>(
    _ body: (borrowing WriteTransaction, inout VaultChange) throws -> Value
  ) throws -> Value {
    try requireWritable()
    let (value, change, before) = try notingWhetherWritable {
      try file.write { transaction in
        try catchUp(transaction.read)
        // Nobody else writes until this transaction is over.
        let before = file.lastCommit
        try requireWritable()
        var change = VaultChange(generation: try generation.incremented(), head: head)
        let value = try body(transaction, &change)
        if try transaction.hasPlainChanges && transaction.read.bindsPlainRows() {
          change.head.plainHash = try transaction.read.plainHash()
        }
        try reader.put(change.head, generation: change.generation, transaction)
        return (value, change, before)
      }
    }
    noteOwnCommit(after: before)
    apply(change)
    commits?.append(change)
    return value
  }

  /// Applies a change that was committed.
  func apply(_ change: VaultChange) {
    generation = change.generation
    head = change.head
    index.replace(change.removed, with: change.indexed)
    titles.note(change.indexed.lazy.map(\.id))
    for (card, places) in change.attachments { attachments.set(places, of: card) }
    if let tags = change.tags {
      for change in tags { usedTags?.apply(change) }
    } else {
      usedTags = nil
    }
    noteOwn(change)
    if let new = change.passwordSlot {
      if slot == passwordSlot { slot = new }
      passwordSlot = new
    }
    if let new = change.sync { (replica, syncRevision) = new }
    if let new = change.settings { (settings, settingsValues, settingsRevision) = new }
    rememberChanges()
  }

  /// The number of changed cards from which they are not told one by one.
  private static let individualChangeLimit = 1_000

  private func noteOwn(_ change: VaultChange) {
    let written = Set(change.indexed.filter { !$0.isInTrash }.map(\.id))
    let deleted = Set(change.removed.filter { !$0.isInTrash }.map(\.id)).subtracting(written)
    let changed = written.union(change.attachments.map(\.card)).subtracting(deleted)
      .subtracting(change.indexed.filter(\.isInTrash).map(\.id))
    guard !changed.isEmpty || !deleted.isEmpty else { return }
    let isMany = changed.count + deleted.count > Self.individualChangeLimit
    let changes = isMany ? ExternalChanges.all : .cards(changed: changed, deleted: deleted)
    ownChanges = ownChanges?.followed(by: changes) ?? changes
  }

  /// How far the clock may be behind the newest card for times to continue from that card, in milliseconds. A day
  /// covers every wrong time zone.
  private static let maximumClockSetback: Int64 = 86_400_000

  /// Returns the time to write into a record that is changed now.
  ///
  /// Later changes must be listed first (R16). So if the clock stands still, or was set back by less than a day, the
  /// time is one millisecond after the newest card's. Call this inside the transaction: another process may have
  /// written the newest card.
  func timeOfChange(_ clock: any Clock) -> Timestamp {
    let now = clock.wall
    guard let newest = index.newestModification?.milliseconds, newest >= now else {
      return Timestamp(milliseconds: now)
    }
    let (ahead, overflow) = newest.subtractingReportingOverflow(now)
    let isNext = !overflow && ahead < Self.maximumClockSetback && newest < .max
    return Timestamp(milliseconds: isNext ? newest + 1 : now)
  }
}

/// What other processes changed in the vault.
public enum ExternalChanges: Sendable, Hashable {
  /// These cards.
  case cards(changed: Set<Identifier>, deleted: Set<Identifier>)
  /// Anything: the changed cards are not known one by one.
  case all

  /// Combines these changes with later ones.
  func followed(by later: ExternalChanges) -> ExternalChanges {
    guard case .cards(let changed, let deleted) = self,
      case .cards(let laterChanged, let laterDeleted) = later
    else {
      return .all
    }
    return .cards(
      changed: changed.subtracting(laterDeleted).union(laterChanged),
      deleted: deleted.subtracting(laterChanged).union(laterDeleted))
  }
}
