import VaultCrypto
import VaultStore
import Wire

/// A file of a segment.
struct SegmentFile {
  let finding: SegmentFinding
  /// Nil if it does not open.
  let segment: Segment?
  /// The bytes of the file; 0 if it was not read again.
  let byteCount: Int
}

/// The segments of replicas.
extension SyncFolder {
  /// Reads and opens a segment. A file that did not open before is not read again until it changes.
  ///
  /// - Throws: ``FileError``.
  func segment(
    _ sequence: Int64, of replica: Identifier, with reader: RecordReader
  ) throws -> SegmentFile {
    let (name, path) = (Self.segmentName(sequence, of: replica), segmentPath(sequence, of: replica))
    let file = try calls.run { [findings] in findings.segments.inspect(path) }
    if let finding = file.finding, finding.previous == nil {
      return SegmentFile(finding: finding, segment: nil, byteCount: 0)
    }
    let sealed = try calls.run { [files] in try files.read(name, limit: Segment.longest) }
    let (segment, isCertain) = try open(sealed, sequence, replica, reader)
    let finding = try SegmentFinding(of: sealed, segment)
    if isCertain { try calls.run { [findings] in findings.segments.note(finding, in: file) } }
    return SegmentFile(finding: finding, segment: segment, byteCount: sealed.count)
  }

  /// - Returns: the segment, and whether reading it again would give the same.
  private func open(
    _ sealed: [UInt8], _ sequence: Int64, _ replica: Identifier, _ reader: RecordReader
  ) throws -> (segment: Segment?, isCertain: Bool) {
    do {
      return (try reader.segment(sealed, sequence, of: replica), true)
    } catch let error as CryptoError {
      return (nil, error.isOfContent)
    }
  }

  /// Reads and opens a segment; nil if it is not here, or cannot be read.
  func segmentIfReadable(
    _ sequence: Int64, of replica: Identifier, with reader: RecordReader
  ) throws -> SegmentFile? {
    do { return try segment(sequence, of: replica, with: reader) } catch is FileError { return nil }
  }

  /// Returns what was found in the file of a segment, which is read if it has changed since; nil if it cannot be read.
  func finding(
    _ sequence: Int64, of replica: Identifier, with reader: RecordReader
  ) throws -> SegmentFinding? {
    var byteCount = 0
    return try finding(sequence, of: replica, with: reader, reading: &byteCount)
  }

  /// - Parameter byteCount: to which the length of the file is added if it is read.
  private func finding(
    _ sequence: Int64, of replica: Identifier, with reader: RecordReader, reading byteCount: inout Int
  ) throws -> SegmentFinding? {
    let path = segmentPath(sequence, of: replica)
    let known = try calls.run { [findings] in findings.segments.inspect(path).finding }
    if let known { return known }
    let file = try segmentIfReadable(sequence, of: replica, with: reader)
    byteCount += file?.byteCount ?? 0
    return file?.finding
  }

  /// What a search for a snapshot came to.
  enum SnapshotSearch: Equatable {
    /// The number of the first segment of the newest snapshot that is here from its beginning to its end.
    case found(Int64)
    case notFound
    /// Much was read. The next search reads on.
    case unfinished
  }

  /// The most files that are looked at for a snapshot, from the newest: whoever can write to the folder can make any number.
  private static let mostSearched = 8_192

  /// Searches for the newest whole snapshot. Each file is read once, until it changes.
  ///
  /// - Parameters:
  ///   - numbers: those of segments, in ascending order.
  ///   - limit: the bytes after which the search ends.
  func searchSnapshot(
    among numbers: some BidirectionalCollection<Int64>, of replica: Identifier, with reader: RecordReader,
    reading limit: Int
  ) throws -> SnapshotSearch {
    // The first segment so far of the run that ends a snapshot.
    var run: (number: Int64, previous: [UInt8])?
    var byteCount = 0
    for number in numbers.suffix(Self.mostSearched).reversed() {
      try Task.checkCancellation()
      guard byteCount < limit else { return .unfinished }
      guard let finding = try finding(number, of: replica, with: reader, reading: &byteCount),
        let previous = finding.previous
      else {
        run = nil
        continue
      }
      let isBefore = run.map { $0.number == number + 1 && $0.previous == finding.hash } ?? false
      run = isBefore || finding.part.contains(.ends) ? (number, previous) : nil
      if run != nil, finding.part.contains(.begins) { return .found(number) }
    }
    return .notFound
  }

  func write(_ sealed: [UInt8], _ segment: Segment, as sequence: Int64, of replica: Identifier) throws {
    let path = segmentPath(sequence, of: replica)
    let finding = try SegmentFinding(of: sealed, segment)
    try calls.run { [files, findings] in
      try files.write(sealed, "changes/\(replica)", Self.name(sequence), isNew: true)
      findings.segments.noteWritten(finding, path)
    }
  }

  func removeSegment(_ sequence: Int64, of replica: Identifier) throws {
    let path = segmentPath(sequence, of: replica)
    try calls.run { [files, findings] in
      files.remove(Self.segmentName(sequence, of: replica))
      findings.segments.forget(path)
    }
  }

  /// Returns the number of the first segment from one on that a cloud client has not fetched; nil if there is none.
  func placeholder(from sequence: Int64, of replica: Identifier) throws -> Int64? {
    let numbers = try placeholders(in: "changes/\(replica)").compactMap(Self.number)
    let name = Self.segmentName(sequence, of: replica)
    let isHollow = try calls.run { [files] in files.isHollow(name) }
    return (numbers.filter { $0 >= sequence } + (isHollow ? [sequence] : [])).min()
  }

  private static func segmentName(_ sequence: Int64, of replica: Identifier) -> String {
    "changes/\(replica)/\(name(sequence))"
  }

  private func segmentPath(_ sequence: Int64, of replica: Identifier) -> String {
    "\(path)/\(Self.segmentName(sequence, of: replica))"
  }
}

/// This replica's stream in the folder.
struct OwnStream {
  let vault: OpenVault
  let folder: SyncFolder
  let replica: Identifier
  let own: OwnPosition

  init(_ vault: OpenVault, _ folder: SyncFolder, _ document: SyncDocument) {
    (self.vault, self.folder) = (vault, folder)
    (replica, own) = (document.replica, document.own)
  }

  /// Returns the numbers of segments in this replica's directory that it has not written yet, or has replaced.
  func unreferencedSegments() throws -> [Int64] {
    try folder.segments(of: replica).filter { $0 < own.first || $0 > own.sequence }
  }

  /// Returns the position after segments that this replica wrote, but did not note before the process ended. What they hold is
  /// published once more, as a snapshot if they are a part of one: others wait for its end.
  func adopted() throws -> OwnPosition {
    var own = own
    var isBegun = false
    while let file = try folder.segmentIfReadable(own.sequence + 1, of: replica, with: vault.reader),
      let segment = file.segment, own.sequence == 0 || segment.previous == own.hash
    {
      (own.sequence, own.hash) = (own.sequence + 1, file.finding.hash)
      own.tailSize += Int64(file.byteCount)
      isBegun = (isBegun || segment.part.contains(.begins)) && !segment.part.contains(.ends)
    }
    if isBegun { own.requireSnapshot() }
    return own
  }

  /// Returns whether somebody removed or changed files of this replica. Each must be the one that the next one names: a clone of this
  /// machine may have written another under the same number, which opens as well.
  func isIncomplete() throws -> Bool {
    guard own.first <= own.sequence else { return true }
    var hash = own.hash
    for sequence in (own.first...own.sequence).reversed() {
      try Task.checkCancellation()
      guard let finding = try folder.finding(sequence, of: replica, with: vault.reader), finding.hash == hash,
        let previous = finding.previous
      else { return true }
      hash = previous
    }
    return false
  }

  /// Returns whether the stream has what this vault never had: the whole machine, with what it remembers of the vault, was restored
  /// from a backup. Then it must go on as another replica.
  func isAhead(_ transaction: borrowing ReadTransaction) throws -> Bool {
    for sequence in try folder.segments(of: replica) where sequence >= max(own.sequence, 1) {
      try Task.checkCancellation()
      if sequence == own.sequence {
        let finding = try folder.finding(sequence, of: replica, with: vault.reader)
        if let finding, finding.hash != own.hash, finding.previous != nil { return true }
        continue
      }
      let file = try folder.segmentIfReadable(sequence, of: replica, with: vault.reader)
      guard let segment = file?.segment else { continue }
      for (id, family) in segment.families.grouped where try !vault.knows(id, in: family, transaction) {
        return true
      }
    }
    return false
  }
}

extension OpenVault {
  /// Goes on as another replica. What is in the folder under the former name is read as another's, from its beginning.
  ///
  /// - Parameter sequence: the newest segment of the former stream that anybody has seen.
  func assignNewReplica(seen sequence: Int64 = 0) throws {
    let replica = try Identifier.random()
    try change { transaction, change in
      guard var document = try syncDocument(transaction.read) else { return }
      let former = document.replica
      document.succeed(as: replica)
      document[former].announced = max(document[former].announced, sequence)
      try write(document, transaction, &change)
    }
  }
}

extension RecordReader {
  /// Opens a segment of a replica's stream.
  ///
  /// - Throws: `CryptoError` if it is truncated, changed, malformed, or belongs to another number, replica or vault.
  func segment(_ sealed: [UInt8], _ sequence: Int64, of replica: Identifier) throws -> Segment {
    try withRecord(.segment, replica, sequence, sealed) { record in
      let segment = try Segment(decoding: unsafe record.withUnsafeBytes { unsafe [UInt8]($0) })
      guard sequence > 1 || segment.isFirst else { throw CryptoError.malformed }
      return segment
    }
  }
}

extension SegmentFinding {
  /// - Parameter segment: nil if the file does not open.
  init(of sealed: [UInt8], _ segment: Segment?) throws {
    self.init(
      hash: try SHA256.hash(of: sealed), previous: segment?.previous, part: segment?.part ?? [])
  }
}
