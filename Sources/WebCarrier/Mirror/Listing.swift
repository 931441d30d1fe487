/// The files that are in the folder, here or on the server.
package struct Listing {
  /// The length of each file in bytes; nil if the server does not say.
  package private(set) var sizes: [MirroredFile: Int?] = [:]
  /// The lowest and highest number of each stream's segments.
  private(set) var segments: [Stream: ClosedRange<String>] = [:]
  /// The highest number of each stream's key files.
  private(set) var newestKeys: [Stream: String] = [:]
  /// The replicas that have a file, other than one in `next`.
  private(set) var owners: Set<[String]> = []
  /// The replicas that have a segment.
  private(set) var publishers: Set<[String]> = []

  /// What a replica writes under one vault key.
  struct Stream: Hashable {
    var vault: String
    var epoch: String
    var replica: String

    init(_ file: MirroredFile) {
      (vault, epoch, replica) = (file.vault, file.epoch, file.replica)
    }
  }

  package init() {}

  /// Files of which the lengths do not matter.
  init(_ files: Set<MirroredFile>) {
    for file in files { add(file, size: nil) }
  }

  package mutating func add(_ file: MirroredFile, size: Int?) {
    sizes[file] = .some(size)
    if file.part != .next { owners.insert(file.owner) }
    let stream = Stream(file)
    switch file.part {
    case .contents, .next: break
    case .changes:
      publishers.insert(file.owner)
      let range = segments[stream] ?? file.name...file.name
      segments[stream] = min(range.lowerBound, file.name)...max(range.upperBound, file.name)
    case .keys: newestKeys[stream] = max(newestKeys[stream] ?? "", file.name)
    }
  }

  func without(_ file: MirroredFile) -> Listing {
    var listing = Listing()
    for (other, size) in sizes where other != file { listing.add(other, size: size) }
    return listing
  }

  package func contains(_ file: MirroredFile) -> Bool { sizes[file] != nil }
}
