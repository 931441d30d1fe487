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
      && outcome.failures.contains { failure in
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
