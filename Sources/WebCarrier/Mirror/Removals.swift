/// Which of the files that a side had after the last pass, and has no more, were removed on purpose, as far as its other
/// files show it. The others were lost, such as with a disk or by a server that withholds them.
struct Removals {
  private let listing: Listing
  private let known: Listing
  /// The vaults that still have something of the last pass, and of which nothing is known to be lost. Others were
  /// emptied: what is there was written since, and the absence of other files means nothing.
  private var intactVaults: Set<String> = []

  /// - Parameters:
  ///   - listing: what the side has.
  ///   - known: the files that were on both sides after the last pass.
  init(on listing: Listing, since known: Listing) {
    (self.listing, self.known) = (listing, known)
    // A file in `contents` or `next` that is written again has the same name.
    let numbered = known.sizes.keys.filter { $0.part == .changes || $0.part == .keys }
    let present = numbered.filter { listing.contains($0) && listing.segments[.init($0)] != nil }
    let lost = numbered.filter {
      !listing.contains($0) && listing.owners.contains($0.owner) && !wasReplaced($0) && !hasMoved($0)
    }
    intactVaults = Set(present.map(\.vault)).subtracting(lost.map(\.vault))
  }

  /// Returns whether a file that is not there was there and was removed: its replica has written a newer one that
  /// stands for it, or has moved to another epoch, or was forgotten.
  func contains(_ file: MirroredFile) -> Bool {
    // What says that there is another vault key stays.
    guard known.contains(file), file.part != .next else { return false }
    return wasReplaced(file) || hasMoved(file) || wasForgotten(file)
  }

  private func wasReplaced(_ file: MirroredFile) -> Bool {
    let stream = Listing.Stream(file)
    guard let range = listing.segments[stream] else { return false }
    switch file.part {
    case .contents: return intactVaults.contains(file.vault) && isSnapshotNew(stream, range.lowerBound)
    case .changes: return file.name < range.lowerBound
    case .keys: return listing.newestKeys[stream].map { file.name < $0 } ?? false
    case .next: return false
    }
  }

  /// A replica removes contents only after it has made a snapshot.
  private func isSnapshotNew(_ stream: Listing.Stream, _ first: String) -> Bool {
    known.segments[stream].map { $0.lowerBound < first } ?? false
  }

  private func hasMoved(_ file: MirroredFile) -> Bool {
    listing.segments[.init(file)] == nil && listing.publishers.contains(file.owner)
  }

  private func wasForgotten(_ file: MirroredFile) -> Bool {
    !listing.owners.contains(file.owner) && intactVaults.contains(file.vault)
  }
}
