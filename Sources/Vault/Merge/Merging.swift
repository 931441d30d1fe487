import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// Plans the merge with another copy.
  ///
  /// - Returns: the plan; the settings afterwards, nil if they stay; what the merge will have done.
  /// - Throws: also `CancellationError`.
  func plan(
    _ other: OpenVault, _ mine: borrowing ReadTransaction, _ theirs: borrowing ReadTransaction
  ) throws -> (plan: MergePlan, settings: KeyValueText?, merge: Merge) {
    let ours = try MergeSide(self, mine)
    let others = try MergeError.reading { try MergeSide(other, theirs) }
    let newSettings = settings(mergedWith: other)
    let write = replica.map { ReplicaWrite(replica: $0, generation: generation + 1) }
    let (plan, merge) = try plan(
      ours, others, of: ours.families.union(others.families), MergeSource(write: write),
      language: (newSettings.map { Settings($0) } ?? settings).language.language, mine
    ) {
      try other.card($0, at: nil, in: theirs, isInTrash: nil)
    }
    var noted = merge
    noted.takesSettings = newSettings != nil
    return (plan, newSettings, noted)
  }

  /// Returns the settings after a merge with another copy; nil if those of this one stay.
  ///
  /// A vault that synchronises takes each setting that was changed later in the other copy. One that does not takes all of the copy
  /// in which any setting was changed last.
  private func settings(mergedWith other: OpenVault) -> KeyValueText? {
    let (mine, theirs) = (settingsValues, other.settingsValues)
    let knowsEachTime = replica != nil && other.replica != nil
    guard knowsEachTime || SettingsAge(self) < SettingsAge(other) else { return nil }
    guard replica != nil else { return theirs }
    let merged = knowsEachTime ? mine.merged(with: theirs) : mine.merged(withUnsynchronized: theirs)
    return merged == mine ? nil : merged
  }

  /// Plans the merge with cards of another copy.
  ///
  /// - Parameters:
  ///   - families: the cards to merge.
  ///   - language: the language of the note in titles; nil for that of the title.
  ///   - open: returns a card of the other copy.
  /// - Throws: also `CancellationError`.
  func plan(
    _ ours: MergeSide, _ others: MergeSide, of families: Set<Identifier>, _ source: MergeSource,
    language: Language?, _ mine: borrowing ReadTransaction, open: (Identifier) throws -> Card
  ) throws -> (plan: MergePlan, merge: Merge) {
    let needed = families.filter { !ours.isSame($0, as: others) }
    var cards = MergeCards()
    for family in needed {
      try Task.checkCancellation()
      for place in Set(ours.family(family).places.values) {
        cards.mine[place] = try card(place, at: nil, in: mine, isInTrash: nil)
      }
      for place in Set(others.family(family).places.values) {
        cards.theirs[place] = try MergeError.reading { try open(place) }
      }
    }
    let plan = try MergePlan(
      ours, others, of: families, source, cards, in: reader.vault,
      note: { ConflictNote.added(to: $0, language) })
    var merge = Merge()
    for (id, change) in plan.changes {
      switch (change.row, ours.rows[id] != nil) {
      case (.absent, true): merge.deleted += 1
      case (.verbatim, true), (.written, true): merge.updated += 1
      case (.verbatim, false): merge.added += 1
      case (.written, false) where change.history?.origin == nil: merge.added += 1
      default: break
      }
    }
    merge.unchanged = ours.rows.count - merge.updated - merge.deleted
    merge.list(plan.conflicts.sorted { $0.copy < $1.copy })
    return (plan, merge)
  }

  /// Applies a plan of a merge with another file.
  func apply(
    _ plan: MergePlan, _ theirs: borrowing ReadTransaction, _ transaction: borrowing WriteTransaction,
    _ change: inout VaultChange
  ) throws {
    try apply(plan, transaction, &change) {
      try theirs.card($0)
    } content: { attachment, body in
      let isThere: Void? = try theirs.content(attachment.id) { sealed in
        try body(MergeError.reading { try reader.content(of: attachment, sealed) }, sealed)
      }
      return isThere != nil
    }
  }

  /// Applies a plan.
  ///
  /// - Parameters:
  ///   - row: returns a row of the other copy.
  ///   - content: calls its argument with an attachment's content from the other copy, and returns whether it is there.
  func apply(
    _ plan: MergePlan, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange,
    row: (Identifier) throws -> CardRow?, content: MergedContents.Source
  ) throws {
    var contents = MergedContents(self, plan)
    for (id, wanted) in plan.changes.sorted(by: { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }) {
      try Task.checkCancellation()
      let present = plan.mine.rows[id]
      let old =
        try present == nil
        ? nil : plan.cards.mine[id] ?? card(id, at: nil, in: transaction.read, isInTrash: nil)
      var tag = present?.tag
      switch wanted.row {
      case .kept: break
      case .absent:
        if let present, let old {
          try remove(old, present, transaction, &change)
          contents.remove(id, &change)
        }
        tag = nil
      case .verbatim:
        guard let row = try row(id), let card = plan.cards.theirs[id] else {
          throw VaultError.failed(.recordMissing)
        }
        let source = MergePlan.Source(place: id, isTheirs: true)
        try contents.add(card, from: source, transaction, &change, content)
        try put(card, row, replacing: old, present, transaction, &change)
        tag = Identifier.tag(ofRecord: row.sealed)
      case .written(let wanted, let source):
        let card = try contents.add(wanted, from: source, transaction, &change, content)
        let sealed = try reader.seal(.card, id, card.revision, CardRecord.encode(card))
        let row = CardRow(id: id, revision: card.revision, sealed: sealed)
        try put(card, row, replacing: old, present, transaction, &change)
        tag = Identifier.tag(ofRecord: sealed)
      }
      try writeHistory(wanted.history, of: id, tag, before: plan.mine.histories[id], transaction, &change)
      if let versions = wanted.history?.versions, versions.isPublisher,
        versions.changedAt == change.generation
      {
        change.markChanged(id)
      }
    }
    try contents.removeOld(transaction, &change)
  }

  /// Writes a history if it differs from the stored one.
  ///
  /// - Parameters:
  ///   - tag: that of the card's record; nil if the card is not there.
  ///   - present: the stored one.
  private func writeHistory(
    _ wanted: CardHistory?, of id: Identifier, _ tag: UInt64?, before present: CardHistory?,
    _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let isNew = present == nil
    guard var wanted else { return try put(nil, of: id, isNew: isNew, transaction, &change) }
    if let tag, wanted.own == [tag], wanted.versions == nil { wanted.own = [] }
    if wanted == CardHistory() { return try put(nil, of: id, isNew: isNew, transaction, &change) }
    let isUnchanged =
      present.map {
        Set($0.own.isEmpty ? tag.map { [$0] } ?? [] : $0.own)
          == Set(wanted.own.isEmpty ? tag.map { [$0] } ?? [] : wanted.own)
          && $0.times == wanted.times && Set($0.replaced) == Set(wanted.replaced)
          && $0.deletedAt == wanted.deletedAt
          && $0.origin == wanted.origin && $0.earlier == wanted.earlier && $0.versions == wanted.versions
      } ?? false
    if !isUnchanged { try put(wanted, of: id, isNew: isNew, transaction, &change) }
  }

  private func remove(
    _ card: Card, _ row: MergeSide.Row, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    try transaction.deleteCard(card.id, expected: row.revision)
    try change.head.remove(row.element(of: card.id, reader), kind: .card)
    change.markChanged(card.id)
    change.removed.append(card.order)
  }

  private func put(
    _ card: Card, _ row: CardRow, replacing old: Card?, _ present: MergeSide.Row?,
    _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    let after = try reader.element(.card, row.id, row.revision, row.sealed)
    if let present {
      try transaction.updateCard(row, expected: present.revision)
      change.head.replace(try present.element(of: row.id, reader), with: after)
    } else {
      try transaction.insertCard(row)
      try change.head.add(after, kind: .card)
    }
    change.markChanged(row.id)
    if let old { change.removed.append(old.order) }
    change.indexed.append(card.order)
  }
}

/// Orders settings by their time of change if they have one, else by their revision, and then by their text, so that both
/// sides choose the same.
struct SettingsAge: Comparable {
  private let changedAt: Int64
  private let revision: Int64
  private let text: String

  init(_ vault: OpenVault) {
    let modified = vault.settingsValues[KeyValueText.changedAt].flatMap { Int64($0) }
    changedAt = modified ?? 0
    revision = modified == nil ? vault.settingsRevision : 0
    text = vault.settingsValues.text
  }

  static func < (left: SettingsAge, right: SettingsAge) -> Bool {
    guard left.text != right.text else { return false }
    if left.changedAt != right.changedAt { return left.changedAt < right.changedAt }
    if left.revision != right.revision { return left.revision < right.revision }
    return Array(left.text.unicodeScalars.map(\.value)).lexicographicallyPrecedes(
      right.text.unicodeScalars.map(\.value))
  }
}
