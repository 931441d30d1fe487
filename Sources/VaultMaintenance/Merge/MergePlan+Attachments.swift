import Identifiers
import VaultModel
import VaultSession

/// A content may have attachments on one side only: on the other, it lost them to another content, or to another card.
extension MergePlan {
  /// Returns whether a family is to be published because a content has fewer attachments here than others may expect, or more.
  ///
  /// Which attachments a content lost to another depends on the order in which copies were merged. So whoever reads that another
  /// copy has fewer hands on what it has more, and who loses some for which no content is left says so.
  func isToPublish(
    _ id: Identifier, _ copies: [Identifier], before: Set<Identifier>, _ ours: MergeSide.Family,
    _ others: MergeSide.Family, _ live: Set<UInt64>
  ) -> Bool {
    let remains = !ours.live.isDisjoint(with: live)
    // Replicas that read the published version would wait for a content that may no longer exist.
    let mayBePublished =
      changes[id]?.history?.versions?.isPublisher == true
      || remains && ours.versions.map { $0.changedAt > 0 } == true
    if mayBePublished,
      before.contains(where: { !attachments(before: $0).isSubset(of: attachments(after: $0)) })
    {
      return true
    }
    let left = Set(([id] + copies).flatMap { attachments(after: $0) })
    if remains, before.contains(where: { !attachments(before: $0).isSubset(of: left) }) { return true }
    guard let published = others.versions?.context,
      published.covers(ours.versions?.context ?? VersionVector())
    else { return false }
    return ([id] + copies).contains { card in
      changes[card]?.history?.own.contains { tag in
        guard let place = others.places[tag] else { return false }
        return !attachments(after: card).isSubset(of: attachments(place, true).map(\.id))
      } == true
    }
  }

  private func attachments(before card: Identifier) -> Set<Identifier> {
    Set(attachments(card, false).map(\.id))
  }

  private func attachments(after card: Identifier) -> Set<Identifier> {
    switch changes[card]?.row {
    case .written(let card)?: Set(card.attachments.map(\.id))
    case .verbatim?: Set(attachments(card, true).map(\.id))
    case .absent?: []
    case .kept?, nil: attachments(before: card)
    }
  }
}

extension Card {
  /// Adds the attachments that another card has, in the order in which they were added.
  ///
  /// - Returns: whether there were any.
  mutating func addAttachments(of other: Card?) -> Bool {
    let known = Set(attachments.map(\.id))
    let added = other?.attachments.filter { !known.contains($0.id) } ?? []
    guard !added.isEmpty else { return false }
    attachments = (attachments + added).sorted {
      ($0.addedAt.milliseconds, $0.id) < ($1.addedAt.milliseconds, $1.id)
    }
    return true
  }
}
