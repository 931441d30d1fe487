import Wire

/// Whose cards are merged, and what that means for the versions of synchronised vaults.
struct MergeSource {
  /// The replica that published the cards; nil for another copy of the whole file.
  var publisher: Identifier?
  /// The write of this replica that the merge is; nil in a vault that is not synchronised.
  var write: ReplicaWrite?

  init(publisher: Identifier? = nil, write: ReplicaWrite? = nil) {
    (self.publisher, self.write) = (publisher, write)
  }

  /// Returns the versions of a card after a merge, with the dots of all its contents; nil if it has none.
  ///
  /// Contents without dots, which come from a file of before the vault was synchronised, count as written by this replica.
  ///
  /// - Parameters:
  ///   - live: the tags of the contents that stay.
  ///   - revision: the higher revision of both sides.
  func versions(
    _ mine: MergeSide.Family, _ theirs: MergeSide.Family, _ live: Set<UInt64>, revision: Int64
  ) throws -> CardVersions? {
    let joined = mine.joinedVersions(with: theirs)
    guard var versions = joined ?? write.map({ _ in CardVersions() }) else { return nil }
    for tag in live { versions.dots[tag] = mine.joinedDots(of: tag, with: theirs) }
    let isNew = write != nil && versions.dots.values.contains(where: \.isEmpty)
    if let write, isNew {
      let dot = try versions.context.next(of: write.replica)
      for tag in live where versions.dots[tag]?.isEmpty == true { versions.dots[tag] = [dot] }
    }
    if joined == nil { versions.base = revision + 1 - versions.context.total }
    versions.isPublisher = isPublisher(mine, theirs, isNew: isNew)
    let isChanged = versions.isPublisher && (isNew || mine.versions?.isPublisher != true)
    versions.changedAt = isChanged ? write?.generation ?? 0 : mine.versions?.changedAt ?? 0
    return versions
  }

  /// Returns whether this replica is to publish a card after a merge.
  private func isPublisher(_ mine: MergeSide.Family, _ theirs: MergeSide.Family, isNew: Bool) -> Bool {
    guard let write else { return false }
    guard let publisher, !isNew else { return true }
    let known = mine.versions?.context ?? VersionVector()
    let published = theirs.versions?.context ?? VersionVector()
    let wasPublisher = mine.versions?.isPublisher ?? false
    let unknown = mine.live.filter { !theirs.knows($0, mine.dots[$0]) }
    // A dot was given to two contents: who published this one publishes the other now, so nobody has this one but who saw it.
    if unknown.contains(where: { mine.dots[$0]?.allSatisfy(published.covers) == true }) { return true }
    guard unknown.isEmpty, published.covers(known) else { return wasPublisher }
    // Both published the same: one of them is enough.
    return wasPublisher && known.covers(published) && write.replica < publisher
  }
}

extension CardVersions {
  /// Returns the versions of a card that has the contents with these tags.
  func of(_ tags: [UInt64]) -> CardVersions {
    var versions = self
    versions.dots = dots.filter { tags.contains($0.key) && !$0.value.isEmpty }
    return versions
  }

  /// Returns the versions of a conflict copy that has the contents with these tags.
  func ofCopy(_ tags: [UInt64]) -> CardVersions {
    var versions = CardVersions()
    versions.dots = of(tags).dots
    return versions
  }
}
