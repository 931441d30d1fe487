import VaultCrypto
import Wire

/// Consecutive segments of a stream, read to be applied together. Of a family that several have, the last counts: a replica
/// publishes all that it knows of a family. A batch ends before a segment in which a card has another role: it cannot be a conflict
/// copy, which its family has, and a card of its own at the same time.
struct SegmentBatch {
  private(set) var families = CardFamilies()
  private(set) var settings: String?
  private(set) var seen: [Identifier: Int64] = [:]
  private(set) var problem: SyncProblem?
  private(set) var hasMore = false
  private(set) var position: ReplicaPosition
  /// The bytes of a segment that was read and does not open.
  private(set) var unreadableSize = 0
  /// The numbers of the segment after which it was read, and of the last that was: nothing between them was left out.
  private(set) var (start, last): (Int64, Int64)

  private let reader: RecordReader
  private let folder: SyncFolder
  private let replica: Identifier

  init(_ reader: RecordReader, _ folder: SyncFolder, _ replica: Identifier, _ position: ReplicaPosition) {
    (self.reader, self.folder, self.replica, self.position) = (reader, folder, replica, position)
    (start, last) = (position.sequence, position.sequence)
  }

  /// Reads the segments that follow. If there are none, it reads those again that are not completely merged: what they wait for
  /// may have come.
  ///
  /// - Parameters:
  ///   - limit: the bytes after which a batch of new segments ends.
  ///   - again: the number of the last segment that was read again in this turn; nil if none was.
  mutating func read(upTo limit: Int, again: Int64? = nil) throws {
    let here = try folder.segments(of: replica)
    let before = position
    if before.sequence > 0 { problem = try problemOfNewest(here) }
    try read(here.filter { $0 > before.sequence }, upTo: limit)
    if before.merged < before.sequence {
      if position == before {
        let found = problem
        let merged = again ?? before.merged
        (start, last) = (merged, merged)
        try read(here.filter { $0 > merged && $0 <= before.sequence }, upTo: .max)
        problem = found ?? problem
      } else {
        hasMore = true
      }
    }
    let newest = max(position.sequence, position.announced)
    if problem == nil, (here.last ?? 0) < newest { problem = .missing((here.last ?? 0) + 1) }
  }

  private mutating func read(_ sequences: [Int64], upTo limit: Int) throws {
    var size = 0
    for sequence in sequences {
      guard size < limit else { return hasMore = true }
      let file: SegmentFile
      do {
        file = try folder.segment(sequence, of: replica, with: reader)
      } catch let error as FileError {
        return problem = error == .notFound ? .missing(sequence) : .unreadable(sequence)
      }
      guard let segment = file.segment else {
        unreadableSize = file.byteCount
        return problem = .unreadable(sequence)
      }
      guard try follows(segment, sequence, last) else { return }
      if families.hasOtherRoles(than: segment.families) { return hasMore = true }
      // The stream goes on, or a snapshot stands for what is wrong before it.
      if sequence > position.sequence { problem = nil }
      last = sequence
      size += file.byteCount
      take(segment, sequence, file.finding.hash)
    }
  }

  /// Returns what is wrong with the newest segment that was read; nil if it is what it was, or a snapshot may have replaced it.
  private func problemOfNewest(_ here: [Int64]) throws -> SyncProblem? {
    guard here.contains(position.sequence) else {
      return (here.last ?? 0) < position.sequence ? .missing(position.sequence) : nil
    }
    let finding = try folder.finding(position.sequence, of: replica, with: reader)
    if finding?.hash == position.hash {
      // Nothing of it is missing here, but whoever joins needs all.
      let stream = here.filter { $0 >= position.first && $0 <= position.sequence }
      guard position.first > 0, stream.count <= position.sequence - position.first else { return nil }
      return (position.first..<position.sequence).first { !stream.contains($0) }.map { .missing($0) }
    }
    return finding == nil ? .missing(position.sequence) : .replaced(position.sequence)
  }

  /// Whether a segment continues the stream.
  private mutating func follows(_ segment: Segment, _ sequence: Int64, _ before: Int64) throws -> Bool {
    // Segments that a snapshot replaced are removed.
    if segment.part.contains(.begins) { return true }
    if sequence > before + 1 {
      problem = .missing(before + 1)
      return false
    }
    if sequence == position.sequence + 1, position.sequence > 0, segment.previous != position.hash {
      problem = .replaced(sequence)
      return false
    }
    return true
  }

  private mutating func take(_ segment: Segment, _ sequence: Int64, _ hash: [UInt8]) {
    families.replaceFamilies(with: segment.families)
    if let settings = segment.settings { self.settings = settings }
    for (other, sequence) in segment.seen { seen[other] = max(seen[other] ?? 0, sequence) }
    guard sequence > position.sequence else { return }
    (position.sequence, position.hash) = (sequence, hash)
    if segment.part.contains(.begins) { position.first = sequence }
    (position.publishedAt, position.machine) = (segment.publishedAt, segment.machine)
  }
}
