/// The files that are in the folder, here or on the server.
package struct Listing {
  /// The length of each file in bytes; nil if the server does not say.
  package private(set) var sizes: [MirroredFile: Int?] = [:]
  /// The lowest and highest number of each replica's segments.
  private var segments: [Stream: ClosedRange<String>] = [:]
  /// The highest number of each replica's key files.
  private var newestKeys: [Stream: String] = [:]

  private struct Stream: Hashable {
    var vault: String
    var epoch: String
    var replica: String

    init(_ file: MirroredFile) {
      (vault, epoch, replica) = (file.vault, file.epoch, file.replica)
    }
  }

  package init() {}

  package mutating func add(_ file: MirroredFile, size: Int?) {
    sizes[file] = .some(size)
    let stream = Stream(file)
    switch file.part {
    case .contents, .next: break
    case .changes:
      let range = segments[stream] ?? file.name...file.name
      segments[stream] = min(range.lowerBound, file.name)...max(range.upperBound, file.name)
    case .keys: newestKeys[stream] = max(newestKeys[stream] ?? "", file.name)
    }
  }

  package func contains(_ file: MirroredFile) -> Bool { sizes[file] != nil }

  /// Returns whether a file that was here, and is not any more, was removed on purpose, as far as the others that are here
  /// show it: its replica has written a newer one that stands for it, or the whole replica was forgotten or has moved to a new epoch. Otherwise it was
  /// lost, such as with a disk or by a server that withholds it.
  package func showsRemoval(of file: MirroredFile) -> Bool {
    // What says that there is another vault key stays.
    if file.part == .next { return false }
    guard let range = segments[Stream(file)] else {
      return segments.keys.contains { $0.vault == file.vault }
    }
    switch file.part {
    case .contents, .next: return true
    case .changes: return file.name < range.lowerBound
    case .keys: return newestKeys[Stream(file)].map { file.name < $0 } ?? false
    }
  }
}
