import Glibc
import HelperProtocols

extension FolderMirror {
  /// Removes files on both sides.
  ///
  /// - Parameter common: the files that are the same on both sides by now.
  /// - Returns: the files that were not removed, which stay known.
  mutating func remove(_ plan: MirrorPlan, _ common: Set<MirroredFile>) throws(CarrierError) -> [MirroredFile]
  {
    // A file may be removed because of a newer one of its replica: not before all of those have arrived.
    let missing =
      (plan.receive + plan.send).filter { !common.contains($0) && !isTooLargeContent($0) } + plan.differing
    let incomplete = Set(missing.map(\.owner))
    var left: [MirroredFile] = []
    for file in plan.removeThere {
      do throws(CarrierError) {
        if incomplete.contains(file.owner) {
          left.append(file)
        } else {
          try web.remove(file.path)
          outcome.removedThere += 1
        }
      } catch {
        try note(error, of: file.path)
        left.append(file)
      }
    }
    let gone = plan.removeHere.filter { !incomplete.contains($0.owner) }
    guard try areGone(gone) else { return left + plan.removeHere }
    for file in gone {
      try folder.remove(file)
      outcome.removedHere += 1
    }
    return left + plan.removeHere.filter { incomplete.contains($0.owner) }
  }

  /// Returns whether a file is the content of an attachment that the server does not take, now or later: no other stands for it.
  private func isTooLargeContent(_ file: MirroredFile) -> Bool {
    file.part == .contents
      && outcome.failed.contains { failure in
        if case .tooLarge = failure.error { failure.file == file.path } else { false }
      }
  }

  /// Returns whether files that the server does not list are not there. Some servers shorten long lists, and say nothing.
  private mutating func areGone(_ files: [MirroredFile]) throws(CarrierError) -> Bool {
    for file in files {
      guard !isListIncomplete else { return false }
      do throws(CarrierError) {
        if try web.read(file.path, limit: file.limit) != nil { noteIncompleteList(file) }
      } catch {
        try note(error, of: file.path)
        return false
      }
    }
    return !isListIncomplete
  }

  /// Looks again for files that the server did not list, although they are there: another machine may have sent them meanwhile.
  mutating func noteUnlisted(_ files: [MirroredFile]) throws(CarrierError) {
    for (directory, files) in Dictionary(grouping: files, by: \.directory) {
      let listed = try Set((web.members(of: directory) ?? []).map { "\(directory)/\($0.name)" })
      for file in files where !listed.contains(file.path) { noteIncompleteList(file) }
    }
  }

  private mutating func noteIncompleteList(_ file: MirroredFile) {
    isListIncomplete = true
    outcome.note(.listIncomplete, of: file.path)
  }

  /// Removes the files on the server that this machine was writing under their names when a pass was cut off.
  ///
  /// - Returns: the files that are there.
  mutating func withoutUnfinished(_ there: Listing, _ here: Listing) throws(CarrierError) -> Listing {
    var listing = there
    for file in state.unfinished where there.contains(file) {
      guard let size = here.sizes[file], size != there.sizes[file] else { continue }
      try web.remove(file.path)
      listing = listing.without(file)
    }
    return listing
  }
}

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

/// Marks on the server: a carrier that has changed files of a vault makes a small file with a new name in its collection, so that
/// one list of that shows the others whether anything was changed.
extension FolderMirror {
  /// How long files are not listed while the marks stay the same, in seconds. Other programs that change the folder leave none.
  private static let quickSeconds = 900

  /// Returns whether neither this folder nor the marks on the server have changed since the last pass.
  mutating func isUnchanged(_ here: Listing) throws(CarrierError) -> Bool {
    guard let settled = state.settled, !settled.signatures.isEmpty, Set(here.sizes.keys) == state.known,
      (0..<Self.quickSeconds).contains(time(nil) - settled.at)
    else { return false }
    for (vault, signature) in settled.signatures {
      guard let members = try web.members(of: vault) else { return false }
      guard ServerListing.signature(of: members) == signature else { return false }
    }
    return true
  }

  /// Stores what is on both sides, and marks what was changed on the server.
  ///
  /// - Parameter signatures: those of the vaults as they were at the beginning of the pass.
  mutating func finish(
    _ plan: MirrorPlan, _ common: Set<MirroredFile>, _ signatures: [String: Set<String>]
  ) throws(CarrierError) {
    var signatures = signatures
    var isUnmarked = false
    if wasUnmarked || outcome.sent + outcome.removedThere > 0 {
      for (vault, files) in Dictionary(grouping: common, by: \.vault) {
        if signatures[vault] == nil { signatures[vault] = Set(files.map { "\($0.epoch)/" }) }
        if try !mark(vault, &signatures) { isUnmarked = true }
      }
    }
    let isDone =
      !isUnmarked && outcome.isComplete && Set(plan.receive + plan.send).isSubset(of: common)
      && common.isDisjoint(with: plan.removeHere + plan.removeThere)
    try state.finish(common, isUnmarked: isUnmarked, isDone ? signatures : nil)
  }

  /// - Returns: whether the server took the mark. Without one, all files are listed in each pass.
  private mutating func mark(_ vault: String, _ signatures: inout [String: Set<String>]) throws(CarrierError)
    -> Bool
  {
    do throws(CarrierError) {
      let name = try uploader.mark(vault, web)
      for old in signatures[vault] ?? [] where old != name && uploader.isMark(old) {
        try web.remove("\(vault)/\(old)")
        signatures[vault]?.remove(old)
      }
      signatures[vault]?.insert(name)
      return true
    } catch {
      guard error.concernsOneFile else { throw error }
      return false
    }
  }
}
