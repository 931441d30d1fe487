import Synchronization
package import VaultCrypto
package import VaultInterface
package import VaultStore
package import Wire

/// Opens records of one vault: a connection to its file, the keys, and a buffer for one decrypted record at a time.
///
/// One thread at a time uses a reader. A scan sends a second one to another thread and waits for it.
package final class RecordReader: @unchecked Sendable {
  /// The revision of every attachment's content, which never changes.
  static let contentRevision: UInt64 = 1

  package let file: VaultFile
  package let keys: VaultKeys
  package let vault: Identifier
  /// Holds the record that was opened last; wiped after use.
  package let buffer = PlaintextBuffer()

  /// The cancellation check of scans.
  var checkpoint = CancellationPoint.none

  package init(_ file: VaultFile, keys: VaultKeys, vault: Identifier) {
    (self.file, self.keys, self.vault) = (file, keys, vault)
  }

  /// A name for the vault's key, which tells nothing of it: in a synchronised folder, that of what is published under it.
  package var epoch: Identifier {
    get throws { try keys.hasher.epochIdentifier(of: vault) }
  }

  /// Returns a reader of the same vault for another thread.
  ///
  /// - Parameter file: a connection for it; nil to make one.
  package func duplicate(_ file: VaultFile? = nil) throws -> RecordReader {
    RecordReader(try file ?? self.file.duplicate(), keys: try keys.duplicate(), vault: vault)
  }

  /// Calls `body` with `checkpoint` as the cancellation check of its scans.
  func checking<Value>(_ checkpoint: CancellationPoint, _ body: () throws -> Value) rethrows -> Value {
    let outer = self.checkpoint
    self.checkpoint = checkpoint
    defer { self.checkpoint = outer }
    return try body()
  }

  // MARK: Opening

  /// Opens a record into ``buffer``.
  func open(_ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: RawSpan) throws {
    try keys.sealer.open(sealed, at: place(kind, id, revision), into: buffer)
  }

  /// Opens a record and calls `body` with it; the buffer is wiped afterwards.
  package func withRecord<Value>(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: [UInt8],
    _ body: (RawSpan) throws -> Value
  ) throws -> Value {
    try sealed.withRawSpan { (span) throws in try open(kind, id, revision, span) }
    defer { buffer.wipe() }
    return try buffer.withContent { (record) throws in try body(record) }
  }

  package func card(_ row: CardRow) throws -> Card {
    try withRecord(.card, row.id, row.revision, row.sealed) {
      try CardRecord.decode($0, id: row.id, revision: row.revision)
    }
  }

  package func head(_ row: VaultRow) throws -> VaultHead {
    try withRecord(.head, .zero, row.generation, row.head) {
      try VaultHead(decoding: $0, generation: UInt64(clamping: row.generation))
    }
  }

  package func history(_ row: HistoryRow) throws -> CardHistory {
    try withRecord(.history, row.id, row.revision, row.sealed) { span in
      try CardHistory(decoding: unsafe span.withUnsafeBytes { unsafe [UInt8]($0) })
    }
  }

  /// Opens a document, such as the settings.
  ///
  /// - Returns: nil if it is not UTF-8.
  package func text(of row: DocumentRow) throws -> String? {
    try withRecord(.document, Identifier(documentNamed: row.name), row.revision, row.sealed) { record in
      unsafe record.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    }
  }

  /// Opens the content of an attachment.
  ///
  /// - Throws: `CryptoError` if it does not open, or is not the one that its card names.
  package func content(of attachment: Attachment, _ sealed: RawSpan) throws -> PrivateBytes {
    try content(of: IndexedAttachment(attachment), sealed)
  }

  func content(of place: IndexedAttachment, _ sealed: RawSpan) throws -> PrivateBytes {
    guard try ContentSeal(of: sealed) == place.seal else { throw CryptoError.authenticationFailed }
    let content = try open(sealed, at: self.place(ofContent: place.id))
    guard content.count == place.size else { throw CryptoError.malformed }
    return content
  }

  func open(_ sealed: RawSpan, at place: RecordContext) throws -> PrivateBytes {
    let count = sealed.byteCount - RecordSealer.overhead
    guard count >= 0 else { throw CryptoError.malformed }
    guard let bytes = PrivateBytes(capacity: count) else { throw VaultError.unavailable(.outOfMemory) }
    try bytes.append(count: count) { (output: inout MutableRawSpan) throws(CryptoError) in
      try keys.sealer.open(sealed, at: place, into: &output)
    }
    return bytes
  }

  // MARK: Sealing

  /// Seals a record for its place in the file.
  package func seal(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ content: [UInt8]
  ) throws -> [UInt8] {
    try keys.sealer.seal(content, at: place(kind, id, revision))
  }

  /// Seals the content of an attachment.
  package func seal(_ content: PrivateBytes, of attachment: Identifier) throws -> PrivateBytes {
    try seal(content, at: place(ofContent: attachment))
  }

  /// Seals the content of an attachment for its copy in another card, always to the same bytes.
  package func seal(
    _ content: PrivateBytes, of attachment: Attachment, with mask: AttachmentMask
  ) throws -> [UInt8] {
    let salt = try mask.applied(to: Salt(Array(attachment.seal.bytes.prefix(Salt.count))))
    return try seal(content, of: mask.applied(to: attachment.id), salt: salt)
  }

  /// Seals the content of an attachment under a salt that no other content has.
  package func seal(_ content: PrivateBytes, of attachment: Identifier, salt: Salt) throws -> [UInt8] {
    try content.withSpan { (content) throws(CryptoError) in
      try keys.sealer.seal(content, at: place(ofContent: attachment), salt: salt)
    }
  }

  func seal(_ bytes: PrivateBytes, at place: RecordContext) throws -> PrivateBytes {
    let count = bytes.count + RecordSealer.overhead
    guard let sealed = PrivateBytes(capacity: count) else { throw VaultError.unavailable(.outOfMemory) }
    try bytes.withSpan { (plaintext) throws(CryptoError) in
      try sealed.append(count: count) { (output: inout MutableRawSpan) throws(CryptoError) in
        try keys.sealer.seal(plaintext, at: place, into: &output)
      }
    }
    return sealed
  }

  private func place(ofContent attachment: Identifier) -> RecordContext {
    RecordContext(vault: vault, kind: .attachment, record: attachment, revision: Self.contentRevision)
  }

  private func place(_ kind: RecordKind, _ id: Identifier, _ revision: Int64) throws -> RecordContext {
    guard let revision = UInt64(exactly: revision) else { throw CryptoError.malformed }
    return RecordContext(vault: vault, kind: kind, record: id, revision: revision)
  }

  // MARK: Record hash

  /// Returns what a record adds to the record hash.
  func element(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: RawSpan
  ) throws -> RecordHash.Element {
    guard let revision = UInt64(exactly: revision) else { throw CryptoError.malformed }
    return try keys.hasher.element(kind: kind, id: id, revision: revision, sealed: sealed)
  }

  /// Returns what a record adds to the record hash.
  package func element(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: [UInt8]
  ) throws -> RecordHash.Element {
    try sealed.withRawSpan { (span) throws in try element(kind, id, revision, span) }
  }

  /// Returns what an attachment's content adds to the record hash, without reading it.
  package func element(of place: IndexedAttachment) throws -> RecordHash.Element {
    try keys.hasher.element(
      kind: .attachment, id: place.id, revision: Self.contentRevision, sealed: place.seal.bytes)
  }
}

extension ContentSeal {
  /// Reads the salt and the tag of a sealed content.
  package init(of sealed: PrivateBytes) throws {
    self = try sealed.withSpan { (span) throws in try ContentSeal(of: span) }
  }

  /// Reads the salt and the tag of a sealed content.
  package init(of sealed: RawSpan) throws {
    guard sealed.byteCount >= RecordSealer.overhead else { throw CryptoError.malformed }
    let half = Self.byteCount / 2
    let (salt, tag) = (sealed.extracting(first: half), sealed.extracting(last: half))
    let bytes =
      unsafe salt.withUnsafeBytes { unsafe [UInt8]($0) } + tag.withUnsafeBytes { unsafe [UInt8]($0) }
    guard let seal = ContentSeal(bytes) else { throw CryptoError.malformed }
    self = seal
  }
}

/// A new card, sealed before the transaction that writes it.
package struct SealedCard {
  package let row: CardRow
  let element: RecordHash.Element
  let order: CardOrder
  let tags: [String]
}

/// The range of card numbers that two threads scan, each from one end, until they meet.
///
/// Each takes a quarter of what is left, so that neither waits long for the other at the end. The parts are adjacent, so that
/// hardly a page of the file is read by both.
final class SharedRange: Sendable {
  /// The end that a thread takes from.
  enum End {
    case low, high
  }

  /// The number of cards below which a part is not divided.
  private static let minimumShare: UInt64 = 16

  /// The remaining range, counted from the least number; nil if it is empty.
  private let rest: Mutex<ClosedRange<UInt64>?> = Mutex(0 ... .max)
  private let minimumWidth: UInt64
  private let abandoned = Atomic(false)

  /// Whether one of the threads has given up.
  var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

  /// - Parameter cards: how many cards there are.
  init(cards: UInt64) {
    minimumWidth = .max / max(cards / Self.minimumShare, 1)
  }

  /// Makes the other thread stop at its next checkpoint.
  func abandon() {
    abandoned.store(true, ordering: .relaxed)
  }

  /// Takes some of what is left at an end; nil when nothing is.
  func take(from end: End) -> ClosedRange<Int64>? {
    rest.withLock { rest in
      guard let (low, high) = rest.map({ ($0.lowerBound, $0.upperBound) }) else { return nil }
      let width = max((high - low) / 4, minimumWidth)
      guard high - low > width else {
        rest = nil
        return Self.number(low)...Self.number(high)
      }
      switch end {
      case .low:
        rest = low + width + 1...high
        return Self.number(low)...Self.number(low + width)
      case .high:
        rest = low...high - width - 1
        return Self.number(high - width)...Self.number(high)
      }
    }
  }

  private static func number(_ position: UInt64) -> Int64 {
    Int64(bitPattern: position ^ 1 << 63)
  }
}
