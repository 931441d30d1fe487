import VaultCrypto
import Wire

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
  static func settingsHash(_ vault: any VaultAccess) throws -> String {
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
