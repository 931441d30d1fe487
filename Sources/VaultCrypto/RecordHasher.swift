public import Wire

/// Makes the element that a sealed record adds to the ``RecordHash``.
///
/// It keeps an HMAC handle. Use it from one thread at a time.
public final class RecordHasher {
  private var authenticator: MessageAuthenticator

  /// Initializes the hasher with the vault's record-hash key.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the key has 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public init(recordHashKey: SecretBytes) throws(CryptoError) {
    guard recordHashKey.count == MessageAuthenticator.codeCount else { throw .parametersOutOfRange }
    authenticator = try MessageAuthenticator(key: recordHashKey)
  }

  /// HMAC-SHA256 over 57 bytes: kind, record id, revision, and the salt and the tag that a sealed record begins and ends
  /// with. The tag stands for the content, so nothing else of the record is read.
  ///
  /// - Throws: ``CryptoError/malformed`` when `sealed` is too short to be a sealed record;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public func element(
    kind: RecordKind, id: Identifier, revision: UInt64, sealed: RawSpan
  ) throws(CryptoError) -> RecordHash.Element {
    guard sealed.byteCount >= RecordSealer.overhead else { throw .malformed }
    var message = InlineArray<57, UInt8>(repeating: 0)
    var messageElements = message.mutableSpan
    var span = unsafe messageElements.mutableBytes
    span.store(bigEndian: kind.rawValue, at: 0)
    id.store(in: &span, at: 1)
    span.store(bigEndian: revision, at: 17)
    span.copy(sealed.extracting(first: Salt.count), at: 25)
    span.copy(sealed.extracting(last: AuthenticatedCipher.tagCount), at: 41)

    var code = InlineArray<32, UInt8>(repeating: 0)
    var codeElements = code.mutableSpan
    var output = unsafe codeElements.mutableBytes
    try authenticator.authenticate(span.bytes, into: &output)
    return try RecordHash.Element(code: output.bytes)
  }

  /// The name of the directory in a synchronised folder for what is published under this vault key.
  ///
  /// The first 16 bytes of HMAC-SHA256 over `quickvault/v1/epoch` in ASCII and the vault's id, in the form of a UUID version 4. No
  /// element of the record hash is made of such a message, for they begin with a kind.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public func epochIdentifier(of vault: Identifier) throws(CryptoError) -> Identifier {
    let message = Array("quickvault/v1/epoch".utf8) + vault.bytes
    var code = [UInt8](repeating: 0, count: 32)
    try message.withRawSpan { (span) throws(CryptoError) in
      try code.withMutableRawSpan { (output) throws(CryptoError) in
        try authenticator.authenticate(span, into: &output)
      }
    }
    guard let identifier = Identifier(randomBytes: code.prefix(Identifier.byteCount)) else {
      throw .malformed
    }
    return identifier
  }

  /// The same from an array.
  ///
  /// - Throws: As ``element(kind:id:revision:sealed:)`` with a span.
  public func element(
    kind: RecordKind, id: Identifier, revision: UInt64, sealed: [UInt8]
  ) throws(CryptoError) -> RecordHash.Element {
    try sealed.withRawSpan { (span) throws(CryptoError) in
      try element(kind: kind, id: id, revision: revision, sealed: span)
    }
  }
}
