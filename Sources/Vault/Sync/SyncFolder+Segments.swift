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
    let finding = SegmentFinding(hash: try SHA256.hash(of: sealed), previous: segment?.previous)
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
    let path = segmentPath(sequence, of: replica)
    let known = try calls.run { [findings] in findings.segments.inspect(path).finding }
    return try known ?? segmentIfReadable(sequence, of: replica, with: reader)?.finding
  }

  /// - Parameter previous: SHA-256 of the segment before.
  func write(_ sealed: [UInt8], as sequence: Int64, of replica: Identifier, after previous: [UInt8]) throws {
    let path = segmentPath(sequence, of: replica)
    let finding = SegmentFinding(hash: try SHA256.hash(of: sealed), previous: previous)
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

  private static func segmentName(_ sequence: Int64, of replica: Identifier) -> String {
    "changes/\(replica)/\(name(sequence))"
  }

  private func segmentPath(_ sequence: Int64, of replica: Identifier) -> String {
    "\(path)/\(Self.segmentName(sequence, of: replica))"
  }
}
