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
