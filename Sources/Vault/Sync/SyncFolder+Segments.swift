import VaultCrypto
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
