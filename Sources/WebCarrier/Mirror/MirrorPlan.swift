/// What a pass does so that the folder is the same here and on the server.
package struct MirrorPlan {
  /// In the order in which they are copied.
  package private(set) var receive: [MirroredFile] = []
  package private(set) var send: [MirroredFile] = []
  package private(set) var removeHere: [MirroredFile] = []
  package private(set) var removeThere: [MirroredFile] = []
  /// The files with two lengths. They are left as they are: files never change, so one side is damaged.
  package private(set) var differing: [MirroredFile] = []
  /// The files that are the same on both sides.
  package private(set) var common: Set<MirroredFile> = []

  /// - Parameter known: the files that were on both sides at the end of the last pass.
  package init(here: Listing, there: Listing, known: Set<MirroredFile>) {
    let former = Listing(known)
    let (removedHere, removedThere) = (Removals(on: here, since: former), Removals(on: there, since: former))
    for (file, size) in here.sizes {
      if let other = there.sizes[file] {
        if let size, let other, size != other { differing.append(file) }
        common.insert(file)
      } else if removedThere.contains(file) {
        removeHere.append(file)
      } else {
        send.append(file)
      }
    }
    for (file, _) in there.sizes where !here.contains(file) {
      if removedHere.contains(file) {
        removeThere.append(file)
      } else {
        receive.append(file)
      }
    }
    receive.sort()
    send.sort()
    removeHere.sort()
    removeThere.sort()
    differing.sort()
  }
}
