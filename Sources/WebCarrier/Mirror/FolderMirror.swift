package import HelperProtocols

/// Makes the folder here and the collection on the server the same.
package struct FolderMirror {
  /// What a pass did.
  package struct Outcome: Equatable, Sendable {
    package var received = 0
    package var sent = 0
    package var removedHere = 0
    package var removedThere = 0
    package var bytesReceived = 0
    package var bytesSent = 0
    /// Files that were not copied, because one side is damaged: the first ``damagedLimit`` of them.
    package private(set) var damaged: [String] = []
    /// Those of them that the server has damaged. Of the others it may be this machine.
    package private(set) var damagedThere: [String] = []
    private static let damagedLimit = 1_000

    mutating func note(damaged file: MirroredFile, isThere: Bool = false) {
      guard damaged.count < Self.damagedLimit else { return }
      damaged.append(file.path)
      if isThere { damagedThere.append(file.path) }
    }
  }

  private let folder: MirroredFolder
  private let web: WebFolder
  private var state: MirrorState
  private let report: (_ done: Int, _ total: Int) -> Void
  /// The collections that are there.
  private var collections: Set<String> = []
  /// How many names were listed.
  private var names = 0
  private var outcome = Outcome()

  /// - Parameter report: is called after each file, with the numbers of files that are copied and that are to be.
  package init(
    _ folder: MirroredFolder, _ address: WebAddress, _ credentials: Credentials?,
    _ environment: WebEnvironment,
    state: MirrorState, report: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(CarrierError) {
    self.folder = folder
    web = WebFolder(try environment.client(address, credentials), environment.retry)
    (self.state, self.report) = (state, report)
  }

  /// Runs one pass. It can be cut off anywhere: the next one goes on.
  package mutating func run() throws(CarrierError) -> Outcome {
    outcome = Outcome()
    let there = try listServer()
    let plan = try MirrorPlan(here: folder.list(), there: there, known: state.known)
    var common = plan.common
    // What is known must not outlive a removal that is undone later.
    try state.save(common.union(state.known.intersection(plan.removeHere + plan.removeThere)))
    for file in plan.differing { outcome.note(damaged: file) }

    let total = plan.receive.count + plan.send.count
    common.formUnion(try receive(plan.receive, there, total))
    common.formUnion(try send(plan.send, total))
    // A file may be removed because of a newer one of its replica: not before all of those have arrived.
    let missing = (plan.receive + plan.send).filter { !common.contains($0) } + plan.differing
    let incomplete = Set(missing.map(\.owner))
    for file in plan.removeThere where !incomplete.contains(file.owner) {
      try web.remove(file.path)
      outcome.removedThere += 1
    }
    for file in plan.removeHere where !incomplete.contains(file.owner) {
      try folder.remove(file)
      outcome.removedHere += 1
    }
    try state.save(
      common.union((plan.removeThere + plan.removeHere).filter { incomplete.contains($0.owner) }))
    return outcome
  }

  private mutating func receive(
    _ files: [MirroredFile], _ there: Listing, _ total: Int
  ) throws(CarrierError) -> [MirroredFile] {
    var received: [MirroredFile] = []
    // A segment is of no use without the one before it.
    var stopped: Set<String> = []
    for file in files where file.part != .changes || !stopped.contains(file.directory) {
      let bytes: [UInt8]?
      do {
        bytes = try read(file, size: there.sizes[file] ?? nil)
      } catch {
        // One bad file does not keep the others from being carried.
        guard error == .wrongServer || error == .interrupted else { throw error }
        outcome.note(damaged: file, isThere: true)
        stopped.insert(file.directory)
        continue
      }
      guard let bytes else {
        stopped.insert(file.directory)
        continue
      }
      try folder.write(bytes, file)
      received.append(file)
      outcome.received += 1
      outcome.bytesReceived += bytes.count
      report(outcome.received, total)
    }
    return received
  }

  /// Returns the bytes of a file; nil if it was removed in the meantime.
  private func read(_ file: MirroredFile, size: Int?) throws(CarrierError) -> [UInt8]? {
    if let size, size > file.limit { throw .wrongServer }
    guard let bytes = try web.read(file.path, limit: size ?? file.limit) else { return nil }
    guard size == nil || size == bytes.count, file.matches(bytes) else { throw .wrongServer }
    return bytes
  }

  private mutating func send(_ files: [MirroredFile], _ total: Int) throws(CarrierError) -> [MirroredFile] {
    var sent: [MirroredFile] = []
    for file in files {
      guard let bytes = try folder.read(file) else { continue }
      guard file.matches(bytes) else {
        outcome.note(damaged: file)
        continue
      }
      try makeCollections(file.directory)
      let temporary = "\(file.directory)/\(temporaryPrefix)\(sent.count)"
      if try web.write(bytes, file.path, temporary: temporary) {
        sent.append(file)
      } else {
        outcome.note(damaged: file)
      }
      outcome.sent += 1
      outcome.bytesSent += bytes.count
      report(outcome.received + outcome.sent, total)
    }
    return sent
  }

  private var temporaryPrefix: String { ".carrier-\(state.tag)-" }

  private mutating func makeCollections(_ directory: String) throws(CarrierError) {
    var path = ""
    for component in directory.split(separator: "/") {
      path += path.isEmpty ? String(component) : "/\(component)"
      if collections.insert(path).inserted { try web.makeCollection(path) }
    }
  }

  // MARK: What is on the server

  /// The most collections that are listed.
  private static let collectionLimit = 10_000
  /// The most names that all of them together may have.
  private static let nameLimit = 300_000

  private mutating func listServer() throws(CarrierError) -> Listing {
    (collections, names) = ([], 0)
    var listing = Listing()
    guard let vaults = try web.members(of: "") else { throw .wrongServer }
    for vault in vaults where vault.isCollection && MirroredFile.isIdentifier(vault.name) {
      for epoch in try subcollections(of: vault.name) where MirroredFile.isIdentifier(epoch) {
        let top = "\(vault.name)/\(epoch)"
        for name in try subcollections(of: top) {
          guard let part = MirroredFile.Part(rawValue: name) else { continue }
          if part.isByReplica {
            for replica in try subcollections(of: "\(top)/\(name)") where MirroredFile.isIdentifier(replica) {
              try list("\(top)/\(name)/\(replica)", into: &listing)
            }
          } else {
            try list("\(top)/\(name)", into: &listing)
          }
        }
      }
    }
    return listing
  }

  /// The members of a collection that is expected to be there.
  private mutating func members(of path: String) throws(CarrierError) -> [Multistatus.Member] {
    collections.insert(path)
    let members = try web.members(of: path) ?? []
    names += members.count
    guard collections.count <= Self.collectionLimit, names <= Self.nameLimit else { throw .wrongServer }
    return members
  }

  /// The names of the collections in one.
  private mutating func subcollections(of path: String) throws(CarrierError) -> [String] {
    try members(of: path).filter(\.isCollection).map(\.name)
  }

  private mutating func list(_ directory: String, into listing: inout Listing) throws(CarrierError) {
    for member in try members(of: directory) where !member.isCollection {
      // An upload of this machine that was cut off
      if member.name.hasPrefix(temporaryPrefix), !member.name.contains("/") {
        try web.remove(
          "\(directory)/\(temporaryPrefix)\(Int(member.name.dropFirst(temporaryPrefix.utf8.count)) ?? 0)")
      }
      if let file = MirroredFile("\(directory)/\(member.name)") { listing.add(file, size: member.size) }
    }
  }
}
