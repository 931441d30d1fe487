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
