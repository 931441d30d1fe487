public import Wire

/// Seals and opens records, each under a key of its own.
///
/// A sealed record is a fresh random salt (16 bytes), the ciphertext, and the tag (16 bytes). Its key is the HKDF-Expand
/// (RFC 5869) of the record key over the salt; the cipher is AES-256-GCM with a nonce of zeros, for each key seals
/// once. The associated data is the record's ``RecordContext``.
///
/// A sealer keeps its libgcrypt handles and reuses them. Use it from one thread at a time; give each thread its own
/// (``VaultKeys/duplicate()``).
public final class RecordSealer {
  /// The overhead of a sealed record over its content, in bytes.
  public static let overhead = Salt.count + AuthenticatedCipher.tagCount

  private var cipher: RecordCipher

  /// Initializes the sealer with the vault's record key.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the key has 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public init(recordKey: SecretBytes) throws(CryptoError) {
    cipher = try RecordCipher(recordKey: recordKey)
  }

  /// Seals a record for its place, under a fresh salt.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public func seal(_ plaintext: RawSpan, at place: RecordContext) throws(CryptoError) -> [UInt8] {
    try seal(plaintext, at: place, salt: Salt())
  }

  /// Seals a record for its place, under a fresh salt, into the caller's memory, which has exactly ``overhead`` bytes more
  /// than the plaintext.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` for another number; ``CryptoError/libraryFailure(operation:code:)``.
  public func seal(
    _ plaintext: RawSpan, at place: RecordContext, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    guard output.byteCount == plaintext.byteCount + Self.overhead else { throw .parametersOutOfRange }
    try cipher.seal(plaintext, at: place, salt: Salt(), into: &output)
  }

  /// Opens a record into the caller's memory, which has exactly the plaintext's size. When it throws, the memory holds
  /// bytes that nobody may use; the caller wipes them.
  ///
  /// - Throws: as the other method.
  public func open(
    _ sealed: RawSpan, at place: RecordContext, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    guard sealed.byteCount >= Self.overhead, output.byteCount == sealed.byteCount - Self.overhead else {
      throw .malformed
    }
    try cipher.open(sealed, at: place, into: &output)
  }

  /// Seals a record from an array.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public func seal(_ plaintext: [UInt8], at place: RecordContext) throws(CryptoError) -> [UInt8] {
    try plaintext.withRawSpan { (span) throws(CryptoError) in try seal(span, at: place) }
  }

  /// Seals under a salt that the caller chose: for vectors, for the same record under another vault key, and for a copied
  /// attachment. A salt that is used twice under one key, for another plaintext or place, breaks both seals.
  package func seal(
    _ plaintext: RawSpan, at place: RecordContext, salt: Salt
  ) throws(CryptoError) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: plaintext.byteCount + Self.overhead)
    try sealed.withMutableRawSpan { (output) throws(CryptoError) in
      try cipher.seal(plaintext, at: place, salt: salt, into: &output)
    }
    return sealed
  }

  /// Opens a record into a buffer, whose content it replaces. The buffer is empty and wiped when the record does not open.
  ///
  /// - Throws: ``CryptoError/authenticationFailed`` when the record was changed or belongs to another place;
  ///   ``CryptoError/malformed`` when it is too short to be one; ``CryptoError/libraryFailure(operation:code:)``.
  public func open(
    _ sealed: RawSpan, at place: RecordContext, into buffer: PlaintextBuffer
  ) throws(CryptoError) {
    guard sealed.byteCount >= Self.overhead else {
      buffer.wipe()
      throw .malformed
    }
    try buffer.replaceContent(count: sealed.byteCount - Self.overhead) { (output) throws(CryptoError) in
      try cipher.open(sealed, at: place, into: &output)
    }
  }

  /// Opens a record from an array.
  ///
  /// - Throws: As ``open(_:at:into:)`` with a span.
  public func open(
    _ sealed: [UInt8], at place: RecordContext, into buffer: PlaintextBuffer
  ) throws(CryptoError) {
    try sealed.withRawSpan { (span) throws(CryptoError) in try open(span, at: place, into: buffer) }
  }
}

/// The handles behind a ``RecordSealer`` in one value with one owner, so that a record costs one check of exclusive access.
struct RecordCipher: ~Copyable {
  private var authenticator: MessageAuthenticator
  private var cipher: AuthenticatedCipher
  private var key: SecureMemory

  init(recordKey: SecretBytes) throws(CryptoError) {
    guard recordKey.count == AuthenticatedCipher.keyCount else { throw .parametersOutOfRange }
    let authenticator = try MessageAuthenticator(key: recordKey)
    let cipher = try AuthenticatedCipher()
    let key = try SecureMemory(count: AuthenticatedCipher.keyCount)
    self.authenticator = authenticator
    self.cipher = cipher
    self.key = key
  }

  /// Writes salt ‖ ciphertext ‖ tag to `output`, which has room for exactly these.
  mutating func seal(
    _ plaintext: RawSpan, at place: RecordContext, salt: Salt, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    salt.store(in: &output, at: 0)
    try begin(salt: salt, place: place)
    try cipher.seal(plaintext, into: &output, at: Salt.count)
  }

  /// Opens a sealed record of at least 32 bytes into `output`, which has room for exactly the plaintext.
  mutating func open(
    _ sealed: RawSpan, at place: RecordContext, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    try begin(salt: Salt(sealed.extracting(first: Salt.count)), place: place)
    try cipher.open(sealed.extracting(droppingFirst: Salt.count), into: &output)
  }

  /// Derives the record's key (the one block of HKDF-Expand: HMAC over salt ‖ 1) and sets the cipher up with it.
  private mutating func begin(salt: Salt, place: RecordContext) throws(CryptoError) {
    var message = InlineArray<17, UInt8>(repeating: 1)
    var elements = message.mutableSpan
    var span = unsafe elements.mutableBytes
    salt.store(in: &span, at: 0)
    try key.withMutableSpan { (code) throws(CryptoError) in
      try authenticator.authenticate(span.bytes, into: &code)
    }
    try key.withSpan { (key) throws(CryptoError) in
      try place.withAssociatedData { (associatedData) throws(CryptoError) in
        try cipher.begin(key: key, associatedData: associatedData)
      }
    }
  }
}

/// The kind of a sealed record. The raw values are stored in the file.
public enum RecordKind: UInt8, Hashable, Sendable, CaseIterable {
  case card = 1
  /// The head of the vault: record hash, counts and recent changes. Its record id is ``Identifier/zero`` and its
  /// revision is the generation of the vault.
  case head = 2
  /// A named document such as the settings. Its record id is ``Identifier/init(documentNamed:)``.
  case document = 3
  /// The content of an attachment. Its description is in the card's record.
  case attachment = 4
  /// A cached picture of an attachment. The record hash does not include it.
  case rendition = 5
  /// The history of a card, for merging.
  case history = 6
  /// The state of the vault when it was last open. It is kept in a separate file. Its record id is
  /// ``Identifier/zero`` and its revision 0.
  case lastSeen = 7
  /// A segment of a synchronised vault, in the synchronised folder. Its record id is the replica's and its revision the number in
  /// the replica's stream.
  case segment = 8
  /// The proof in a key file of a synchronised folder. Its record id is the replica's, its revision the file's number.
  case keyFile = 9
  /// The link from one vault key to the next, in the synchronised folder. Its record id is a replica's and its revision 1.
  case successor = 10
}

/// What a sealed record is bound to. It opens only in its own vault, under its identifier, at its revision.
public struct RecordContext: Hashable, Sendable {
  public var vault: Identifier
  public var kind: RecordKind
  public var record: Identifier
  /// The revision of the record; for the head, the generation of the vault.
  public var revision: UInt64

  public init(vault: Identifier, kind: RecordKind, record: Identifier, revision: UInt64) {
    (self.vault, self.kind, self.record, self.revision) = (vault, kind, record, revision)
  }

  /// The context of a vault's head at a generation.
  public static func head(of vault: Identifier, generation: UInt64) -> RecordContext {
    RecordContext(vault: vault, kind: .head, record: .zero, revision: generation)
  }

  /// The 57 bytes that a record's seal covers besides its content: `quickvault/v1/ad` in ASCII, the vault id, the kind
  /// (1 byte), the record id, and the revision (8 bytes).
  public var associatedData: [UInt8] {
    withAssociatedData { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
  }

  /// The same without an allocation.
  func withAssociatedData<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var block = InlineArray<57, UInt8>(repeating: 0)
    var elements = block.mutableSpan
    var span = unsafe elements.mutableBytes
    span.store("quickvault/v1/ad", at: 0)
    vault.store(in: &span, at: 16)
    span.store(bigEndian: kind.rawValue, at: 32)
    record.store(in: &span, at: 33)
    span.store(bigEndian: revision, at: 49)
    return try body(span.bytes)
  }
}
