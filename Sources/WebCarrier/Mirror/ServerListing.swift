import HelperProtocols

/// What is on the server.
struct ServerListing {
  /// The most collections that are listed.
  private static let collectionLimit = 10_000
  /// The most names that all of them together may have.
  private static let nameLimit = 300_000

  private(set) var files = Listing()
  /// The collections that are there.
  private(set) var collections: Set<String> = []
  /// The signature of each vault's collection: ``signature(of:)``.
  private(set) var signatures: [String: Set<String>] = [:]
  /// The uploads of this machine that were cut off.
  private(set) var leftovers: [String] = []
  private var names = 0

  private let web: WebFolder
  private let isTemporary: (String) -> Bool

  /// Lists all vaults.
  init(_ web: WebFolder, isTemporary: @escaping (String) -> Bool) throws(CarrierError) {
    (self.web, self.isTemporary) = (web, isTemporary)
    guard let vaults = try web.members(of: "") else { throw .wrongServer }
    for vault in vaults where vault.isCollection && MirroredFile.isIdentifier(vault.name) {
      let members = try members(of: vault.name)
      signatures[vault.name] = Self.signature(of: members)
      for epoch in members where epoch.isCollection && MirroredFile.isIdentifier(epoch.name) {
        try listEpoch("\(vault.name)/\(epoch.name)")
      }
    }
  }

  /// What tells whether somebody changed the files of a vault, as far as its collection shows it: the marks of the carriers, and
  /// the versions of its members, which some servers change with all that is beneath.
  static func signature(of members: [Multistatus.Member]) -> Set<String> {
    Set(
      members.compactMap { member in
        if Uploader.isMark(member.name) { return member.name }
        guard member.isCollection, MirroredFile.isIdentifier(member.name) else { return nil }
        return "\(member.name)/" + member.version.filter { ("!"..."~").contains($0) }
      })
  }

  private mutating func listEpoch(_ top: String) throws(CarrierError) {
    for name in try subcollections(of: top) {
      guard let part = MirroredFile.Part(rawValue: name) else { continue }
      if part.isByReplica {
        for replica in try subcollections(of: "\(top)/\(name)") where MirroredFile.isIdentifier(replica) {
          try list("\(top)/\(name)/\(replica)")
        }
      } else {
        try list("\(top)/\(name)")
      }
    }
  }

  private mutating func list(_ directory: String) throws(CarrierError) {
    for member in try members(of: directory) where !member.isCollection {
      if let file = MirroredFile("\(directory)/\(member.name)") {
        files.add(file, size: member.size)
      } else if isTemporary(member.name) {
        leftovers.append("\(directory)/\(member.name)")
      }
    }
  }

  /// The names of the collections in one.
  private mutating func subcollections(of path: String) throws(CarrierError) -> [String] {
    try members(of: path).filter(\.isCollection).map(\.name)
  }

  /// The members of a collection that is in the list of the one above: it is not empty because the server says that it is not there.
  private mutating func members(of path: String) throws(CarrierError) -> [Multistatus.Member] {
    collections.insert(path)
    guard let members = try web.members(of: path) else { throw .listIncomplete }
    names += members.count
    guard collections.count <= Self.collectionLimit, names <= Self.nameLimit else { throw .wrongServer }
    return members
  }
}

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
