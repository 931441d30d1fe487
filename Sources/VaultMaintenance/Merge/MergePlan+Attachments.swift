import Identifiers
import VaultModel
import VaultSession

/// A content may have attachments on one side only: on the other, it lost them to another content, or to another card.
extension MergePlan {
  /// Returns whether a family is to be published because a content has fewer attachments here than others may expect, or more.
  ///
  /// Which attachments a content lost to another depends on the order in which copies were merged. So whoever reads that another
  /// copy has fewer hands on what it has more, and who has less than others may have says so.
  ///
  /// - Parameters:
  ///   - copies: the conflict copies after the merge, those that come first first.
  ///   - before: the family's cards before the merge.
  func isToPublish(
    _ id: Identifier, _ copies: [Identifier], before: Set<Identifier>, _ ours: MergeSide.Family,
    _ others: MergeSide.Family, _ live: Set<UInt64>
  ) -> Bool {
    let cards = [id] + copies
    if mayBePublished(id, ours, live), before.contains(where: { losesAttachments($0, among: cards) }) {
      return true
    }
    for card in before where !ours.places.contains(where: { $0.value == card && live.contains($0.key) }) {
      // Its content is gone: what it had may have been another's before, and others may have never given it away.
      for attachment in attachments(before: card) {
        let claimants = cards.prefix { !attachments(after: $0).contains(attachment) }
        if claimants.contains(where: { !tags(after: $0).isDisjoint(with: ours.live) }) { return true }
      }
    }
    guard let published = others.versions?.context,
      published.covers(ours.versions?.context ?? VersionVector())
    else { return false }
    return cards.contains { card in
      tags(after: card).contains { tag in
        guard let place = others.places[tag] else { return false }
        return !attachments(after: card).isSubset(of: attachments(place, true).map(\.id))
      }
    }
  }

  /// Whether others may read a version of a family that this replica published, and that they do not know to be replaced.
  private func mayBePublished(_ id: Identifier, _ ours: MergeSide.Family, _ live: Set<UInt64>) -> Bool {
    if changes[id]?.history?.versions?.isPublisher == true { return true }
    return !ours.live.isDisjoint(with: live) && ours.versions.map { $0.changedAt > 0 } == true
  }

  /// Whether a card of the family loses an attachment, or leaves the family with one: replicas that read the published version would
  /// wait for a content that may no longer exist.
  private func losesAttachments(_ card: Identifier, among cards: [Identifier]) -> Bool {
    let left = cards.contains(card) ? attachments(after: card) : []
    return !attachments(before: card).isSubset(of: left)
  }

  private func tags(after card: Identifier) -> Set<UInt64> { Set(changes[card]?.history?.own ?? []) }

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
  var withoutAttachments: Card {
    var card = self
    card.attachments = []
    return card
  }

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
