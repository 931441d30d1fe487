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
  /// Whether so much was read in search of a snapshot that requests go before the rest.
  private(set) var isSearching = false
  /// Whether segments that wait for something were read again.
  private(set) var isAgain = false
  /// The numbers of the segment after which it was read, and of the last that was: nothing between them was left out.
  private(set) var (start, last): (Int64, Int64)
  /// The number of segments that were read.
  private(set) var count = 0
  /// The segment of each family.
  private var numbers: [Identifier: Int64] = [:]

  private let reader: RecordReader
  private let folder: SyncFolder
  private let replica: Identifier
  private let rejected: Set<Int64>

  /// - Parameter rejected: the numbers of segments that are not applied.
  init(
    _ reader: RecordReader, _ folder: SyncFolder, _ replica: Identifier, _ position: ReplicaPosition,
    rejected: Set<Int64> = []
  ) {
    (self.reader, self.folder, self.replica, self.position) = (reader, folder, replica, position)
    self.rejected = rejected
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
    guard !isSearching else { return }
    if before.merged < before.sequence {
      if position == before {
        let found = problem
        // A snapshot stands for all that lies before it.
        (start, last) = (again ?? before.merged, again ?? max(before.merged, before.first - 1))
        isAgain = true
        let sequences = here.filter { [last] in $0 > last && $0 <= before.sequence }
        try read(sequences, upTo: limit == 1 ? 1 : .max)
        problem = found ?? problem
      } else {
        hasMore = true
      }
    }
    if problem == nil, !hasMore, position.begun > 0 { problem = .missing(position.sequence + 1) }
  }

  private mutating func read(_ sequences: [Int64], upTo limit: Int) throws {
    var size = 0
    var rest = sequences[...]
    while let sequence = rest.first {
      guard size < limit else { return hasMore = true }
      guard let (segment, file) = try read(sequence) else {
        let search = try folder.searchSnapshot(
          among: rest.filter { !rejected.contains($0) }, of: replica, with: reader, reading: limit)
        guard case .found(let first) = search, first > sequence || last < first - 1 else {
          isSearching = search == .unfinished
          return hasMore = isSearching
        }
        // It stands for what is wrong before it.
        problem = nil
        last = first - 1
        rest = rest.drop { $0 < first }
        continue
      }
      if families.hasOtherRoles(than: segment.families) { return hasMore = true }
      // The stream goes on.
      if sequence > position.sequence { problem = nil }
      take(segment, sequence, file.finding.hash)
      rest.removeFirst()
      count += 1
      last = sequence
      size += file.byteCount
    }
  }

  /// Reads a segment that continues the stream; nil, and what is wrong with it, if it does not.
  private mutating func read(_ sequence: Int64) throws -> (segment: Segment, file: SegmentFile)? {
    let file: SegmentFile
    do {
      file = try folder.segment(sequence, of: replica, with: reader)
    } catch let error as FileError {
      problem = error == .notFound ? .missing(sequence) : .unreadable(sequence)
      return nil
    }
    guard let segment = file.segment, !rejected.contains(sequence) else {
      unreadableSize = file.byteCount
      problem = .unreadable(sequence)
      return nil
    }
    return try follows(segment, sequence) ? (segment, file) : nil
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
      let gap = (position.first..<position.sequence).first { !stream.contains($0) }
      // The writer may have removed what a snapshot replaced whose end has not come yet.
      return gap.map { .missing($0 < position.begun ? position.sequence + 1 : $0) }
    }
    return finding == nil ? .missing(position.sequence) : .replaced(position.sequence)
  }

  /// Whether a segment continues the stream.
  private mutating func follows(_ segment: Segment, _ sequence: Int64) throws -> Bool {
    if segment.part.contains(.begins), last == 0 || sequence == last + 1 { return true }
    if sequence > last + 1 {
      problem = .missing(last + 1)
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
    for (id, history) in segment.families.histories { numbers[history.origin?.card ?? id] = sequence }
    if let settings = segment.settings { self.settings = settings }
    for (other, sequence) in segment.seen { seen[other] = max(seen[other] ?? 0, sequence) }
    guard sequence > position.sequence else { return }
    position.follow(sequence, hash, segment, continues: sequence == position.sequence + 1)
  }

  /// Returns the number of the first segment that has one of these families.
  func number(of families: Set<Identifier>) -> Int64? { families.compactMap { numbers[$0] }.min() }
}

/// Collects families into segments, and writes each segment when it is full.
struct SegmentWriter {
  let replica: Identifier

  private let publishing: SegmentPublisher
  private let document: SyncDocument
  private let isSnapshot: Bool
  private var own: OwnPosition
  private var segment = Segment()
  private var size = 0
  private var isEmpty = true

  init(_ publishing: SegmentPublisher, _ document: SyncDocument, own: OwnPosition, isSnapshot: Bool = false) {
    (self.publishing, self.document, self.own, self.isSnapshot) = (publishing, document, own, isSnapshot)
    replica = document.replica
    if isSnapshot { segment.part = .begins }
  }

  mutating func add(_ family: CardFamilies) throws {
    let added = family.byteCount
    if !isEmpty, size + added > document.segmentSize { try write() }
    segment.families.add(family)
    size += added
    isEmpty = false
  }

  /// Writes what is left.
  ///
  /// - Returns: the position after the last segment; the one before if there was nothing to write.
  mutating func finished(generation: Int64) throws -> OwnPosition {
    let settings = try Self.settingsHash(publishing.vault)
    if settings != own.settings {
      (segment.settings, own.settings) = (publishing.vault.settingsValues.text, settings)
      isEmpty = false
    }
    guard isSnapshot || !isEmpty else { return own }
    if isSnapshot { segment.part.insert(.ends) }
    try write()
    own.generation = generation
    return own
  }

  /// Returns the hash of the settings in hexadecimal, to detect changes; empty without settings.
  static func settingsHash(_ vault: OpenVault) throws -> String {
    let text = vault.settingsValues.text
    guard !text.isEmpty else { return "" }
    return try SHA256.hash(of: Array(text.utf8)).hexadecimal
  }

  private mutating func write() throws {
    let sequence = own.sequence + 1
    if !own.hash.isEmpty { segment.previous = own.hash }
    (segment.publishedAt, segment.machine) = (publishing.now, document.machine)
    for other in document.others.prefix(Segment.mostSeen) { segment.seen[other] = document[other].sequence }
    let bytes = segment.encoded()
    // Others could not read it either, nor anything that follows.
    _ = try Segment(decoding: bytes)
    let sealed = try publishing.vault.reader.seal(.segment, replica, sequence, bytes)
    try publishing.folder.write(sealed, segment, as: sequence, of: replica)
    (own.sequence, own.hash) = (sequence, try SHA256.hash(of: sealed))
    if isSnapshot { own.snapshotSize += Int64(sealed.count) } else { own.tailSize += Int64(sealed.count) }
    (segment, size, isEmpty) = (Segment(), 0, true)
  }
}
