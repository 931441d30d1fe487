package import HelperProtocols

/// Makes the folder here and the collection on the server the same.
package struct FolderMirror {
  let folder: MirroredFolder
  var web: WebFolder
  var state: MirrorState
  var uploader: Uploader
  private let report: (_ done: Int, _ total: Int) -> Void
  /// The collections that are there.
  private var collections: Set<String> = []
  var outcome = CarrierMirror.Response.nothing
  /// The files that were on both sides after the last pass.
  private let formerlyKnown: Set<MirroredFile>
  /// Whether an earlier pass may have changed files on the server without a mark.
  let wasUnmarked: Bool
  /// How many files failed one after the other for a reason that may be the server's.
  private var failuresInRow = 0
  /// Whether a list left out files that are there: then nothing counts as removed there.
  var isListIncomplete = false
  /// The size, in bytes, of the smallest file that the server had no room for, or did not take.
  private var refused: (size: Int, error: CarrierError)?

  /// - Parameter report: is called after each file, with the numbers of files that are copied and that are to be.
  package init(
    _ folder: MirroredFolder, _ address: WebAddress, _ credentials: Credentials?,
    _ environment: WebEnvironment,
    state: MirrorState, report: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(CarrierError) {
    self.folder = folder
    web = WebFolder(try environment.client(address, credentials), environment.retry)
    (self.state, self.report) = (state, report)
    uploader = Uploader(tag: state.tag)
    (formerlyKnown, wasUnmarked) = (state.known, state.isUnmarked)
  }

  /// Runs one pass. It can be cut off anywhere: the next one goes on.
  ///
  /// - Parameter isQuick: whether all files need not be listed if the marks of the carriers show that nothing was changed.
  package mutating func run(isQuick: Bool = false) throws(CarrierError) -> CarrierMirror.Response {
    outcome = CarrierMirror.Response.nothing
    let here = try folder.list()
    if isQuick, try isUnchanged(here) { return outcome }
    let listing = try ServerListing(web) { [uploader] in uploader.isTemporary($0) }
    collections = listing.collections
    let there = try withoutUnfinished(listing.files, here)
    let plan = MirrorPlan(here: here, there: there, known: state.known)
    var common = plan.common
    // What is known must not outlive a removal that is undone later.
    let willChange = !(plan.send + plan.removeThere).isEmpty
    try state.begin(common.union(state.known.intersection(plan.removeHere + plan.removeThere)), willChange)
    for file in plan.differing { outcome.note(damaged: file) }
    removeLeftovers(listing.leftovers)

    let total = plan.receive.count + plan.send.count
    common.formUnion(try receive(plan.receive, there, total))
    common.formUnion(try send(plan.send, total))
    common.formUnion(try remove(plan, common))
    outcome.notice = uploader.renameStatus.map(CarrierError.renameRefused)
    try finish(plan, common, listing.signatures)
    return outcome
  }

  /// Removes uploads that were cut off. The server may have locked them; then a later pass does it.
  private func removeLeftovers(_ names: [String]) {
    var web = web
    web.retry = web.retry.once
    for name in names { try? web.remove(name) }
  }

  /// Notes that one file failed. The others are carried nevertheless, unless the server fails for many.
  ///
  /// - Throws: the error, if it does not concern the file alone.
  mutating func note(_ error: CarrierError, of path: String) throws(CarrierError) {
    guard error.concernsOneFile, failuresInRow < Self.failureLimit else { throw error }
    if error.isTransient || error == .wrongServer || error == .forbidden {
      failuresInRow += 1
      // The others are not to wait for this one's repetitions again.
      web.retry = web.retry.once
    }
    outcome.note(error, of: path)
  }

  /// How many files may fail one after the other for a reason that may be the server's.
  private static let failureLimit = 8

  private mutating func receive(
    _ files: [MirroredFile], _ there: Listing, _ total: Int
  ) throws(CarrierError) -> [MirroredFile] {
    var received: [MirroredFile] = []
    // A segment is of no use without the one before it.
    var stopped: Set<String> = []
    for file in files where file.part != .changes || !stopped.contains(file.directory) {
      var bytes: [UInt8]?
      do throws(CarrierError) {
        bytes = try readUndamaged(file, size: there.sizes[file] ?? nil)
      } catch {
        try note(error, of: file.path)
      }
      guard let bytes else {
        stopped.insert(file.directory)
        continue
      }
      failuresInRow = 0
      try folder.write(bytes, file)
      received.append(file)
      outcome.received += 1
      outcome.bytesReceived += bytes.count
      report(outcome.received, total)
    }
    return received
  }

  /// Returns the bytes of a file; nil if it is damaged, or was removed in the meantime.
  private mutating func readUndamaged(_ file: MirroredFile, size: Int?) throws(CarrierError) -> [UInt8]? {
    do throws(CarrierError) {
      if let size, size > file.limit { throw CarrierError.wrongServer }
      guard let bytes = try web.read(file.path, limit: size ?? file.limit) else { return nil }
      guard size == nil || size == bytes.count, file.matches(bytes) else { throw CarrierError.wrongServer }
      return bytes
    } catch {
      guard error == .wrongServer || error == .interrupted else { throw error }
      outcome.note(damaged: file, isThere: true)
      return nil
    }
  }

  private mutating func send(_ files: [MirroredFile], _ total: Int) throws(CarrierError) -> [MirroredFile] {
    var (sent, unlisted) = ([MirroredFile](), [MirroredFile]())
    var stopped: Set<String> = []
    for file in files where file.part != .changes || !stopped.contains(file.directory) {
      guard let bytes = try folder.read(file) else { continue }
      guard file.matches(bytes) else {
        outcome.note(damaged: file)
        continue
      }
      let written: Uploader.Written
      do throws(CarrierError) {
        written = try write(bytes, file)
        failuresInRow = 0
      } catch {
        try note(error, of: file.path)
        stopped.insert(file.directory)
        continue
      }
      switch written {
      case .different: outcome.note(damaged: file)
      case .present: unlisted.append(file)
      case .written: break
      }
      if written != .different { sent.append(file) }
      outcome.sent += 1
      outcome.bytesSent += bytes.count
      report(outcome.received + outcome.sent, total)
    }
    try noteUnlisted(unlisted)
    return sent
  }

  private mutating func write(
    _ bytes: [UInt8], _ file: MirroredFile
  ) throws(CarrierError) -> Uploader.Written {
    if let refused, bytes.count >= refused.size {
      if case .tooLarge = refused.error { throw .tooLarge(bytes.count) }
      throw refused.error
    }
    // It was there after the last pass.
    if formerlyKnown.contains(file), try web.read(file.path, limit: file.limit) == bytes { return .present }
    var uploader = uploader
    defer { self.uploader = uploader }
    do throws(CarrierError) {
      try makeCollections(file.directory)
      return try uploader.write(bytes, file.path, in: file.directory, web) { () throws(CarrierError) in
        try state.note(unfinished: file)
      }
    } catch {
      switch error {
      case .tooLarge, .noQuota: refused = (bytes.count, error)
      default: break
      }
      throw error
    }
  }

  private mutating func makeCollections(_ directory: String) throws(CarrierError) {
    var path = ""
    for component in directory.split(separator: "/") {
      path += path.isEmpty ? String(component) : "/\(component)"
      guard !collections.contains(path) else { continue }
      try web.makeCollection(path)
      collections.insert(path)
    }
  }
}
