import Identifiers
import VaultCrypto
import VaultModel
import VaultStore

/// A connection to the vault's file with the keys and a buffer: all that opening records takes, for one thread.
///
/// It is sent to another thread only by a scan, which waits for it; nobody else uses it meanwhile.
final class CardReader: @unchecked Sendable {
  let file: VaultFile
  let keys: VaultKeys
  let vault: Identifier
  /// Where records are opened, one after another.
  let buffer = PlaintextBuffer()

  init(_ file: VaultFile, keys: VaultKeys, vault: Identifier) {
    self.file = file
    self.keys = keys
    self.vault = vault
  }

  /// Another reader of the same file, for another thread.
  ///
  /// - Parameter file: another connection to the file, where one was made already.
  func duplicate(_ file: VaultFile? = nil) throws -> CardReader {
    CardReader(try file ?? self.file.duplicate(), keys: try keys.duplicate(), vault: vault)
  }

  /// Opens a record into ``buffer``.
  func open(_ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: RawSpan) throws {
    guard let revision = UInt64(exactly: revision) else { throw CryptoError.malformed }
    let place = RecordPlace(vault: vault, kind: kind, record: id, revision: revision)
    try keys.sealer.open(sealed, at: place, into: buffer)
  }

  /// What a record adds to the record hash.
  func element(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: RawSpan
  ) throws -> RecordHash.Element {
    guard let revision = UInt64(exactly: revision) else { throw CryptoError.malformed }
    return try keys.hasher.element(kind: kind, id: id, revision: revision, sealed: sealed)
  }
}

extension CardReader {
  /// What an attachment's content adds to the record hash, as its card has it.
  func element(of place: AttachmentPlace) throws -> RecordHash.Element {
    try keys.hasher.element(
      kind: .attachment, id: place.id, revision: OpenVault.contentRevision,
      sealed: place.seal.bytes)
  }
}

extension CardReader {
  /// Opens a card.
  func card(_ row: CardRow) throws -> Card {
    try row.sealed.withRawSpan { (span) throws in try open(.card, row.id, row.revision, span) }
    defer { buffer.wipe() }
    return try buffer.withContent {
      try CardRecord.decode($0, id: row.id, revision: row.revision)
    }
  }

  /// Opens the content of an attachment.
  ///
  /// - Throws: `CryptoError` where it does not open, or is not the one that its card names.
  func content(of attachment: Attachment, _ sealed: RawSpan) throws -> PrivateBytes {
    guard try OpenVault.seal(of: sealed) == attachment.seal else { throw CryptoError.authenticationFailed }
    let place = RecordPlace(
      vault: vault, kind: .attachment, record: attachment.id, revision: OpenVault.contentRevision)
    let content = try open(sealed, at: place)
    guard content.count == attachment.size else { throw CryptoError.malformed }
    return content
  }

  /// Opens sealed bytes.
  func open(_ sealed: RawSpan, at place: RecordPlace) throws -> PrivateBytes {
    let count = sealed.byteCount - RecordSealer.overhead
    guard count >= 0 else { throw CryptoError.malformed }
    guard let bytes = PrivateBytes(capacity: count) else { throw VaultError.unavailable(.outOfMemory) }
    try bytes.append(count: count) { (output: inout MutableRawSpan) throws(CryptoError) in
      try keys.sealer.open(sealed, at: place, into: &output)
    }
    return bytes
  }
}

/// What a scan gathers on one thread.
protocol Gathering: Sendable {
  /// Takes in one card.
  ///
  /// - Parameters:
  ///   - record: the card, opened; nil where it does not open. It is gone when this returns.
  mutating func take(
    _ id: Identifier, _ revision: Int64, _ sealed: RawSpan, _ record: RawSpan?, _ reader: CardReader) throws

  /// Makes ready what was gathered, on the thread that gathered it.
  mutating func finish()

  /// Takes in what was gathered, and made ready, on another thread.
  mutating func merge(_ other: Self)
}

extension Gathering {
  mutating func finish() {}
}

extension CardReader {
  /// Opens the cards whose numbers lie in a range, one after another, and wipes the buffer.
  ///
  /// - Returns: the generation that was read.
  func gather<Gathered: Gathering>(
    _ gathered: inout Gathered, in numbers: ClosedRange<Int64> = .min ... .max
  ) throws -> Int64 {
    try file.read { transaction in
      try gather(&gathered, in: numbers, transaction)
      return try transaction.vault().generation
    }
  }

  /// Opens the cards that this thread takes of those shared with another, and wipes the buffer.
  ///
  /// - Returns: the generation that was read.
  func gather<Gathered: Gathering>(
    _ gathered: inout Gathered, of shared: SharedNumbers, from end: SharedNumbers.End
  ) throws -> Int64 {
    try file.read { transaction in
      let generation = try transaction.vault().generation
      while let numbers = shared.take(from: end) { try gather(&gathered, in: numbers, transaction) }
      return generation
    }
  }

  /// Opens the cards whose numbers lie in a range, one after another, and wipes the buffer.
  func gather<Gathered: Gathering>(
    _ gathered: inout Gathered, in numbers: ClosedRange<Int64> = .min ... .max,
    _ transaction: borrowing ReadTransaction
  ) throws {
    defer { buffer.wipe() }
    try transaction.forEachCard(in: numbers) { number, id, revision, sealed in
      // A card's place in the file follows from its id, and a card that is elsewhere is none.
      guard number == id.number else {
        let place = Identifier(high: UInt64(bitPattern: number), low: id.low)
        return try gathered.take(place, revision, sealed, nil, self)
      }
      do {
        try open(.card, id, revision, sealed)
        try buffer.withContent { (record) throws in try gathered.take(id, revision, sealed, record, self) }
      } catch let error where error is CryptoError || error is CardRecordError {
        try gathered.take(id, revision, sealed, nil, self)
      }
    }
  }
}
