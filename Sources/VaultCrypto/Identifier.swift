public import Wire

extension Identifier {
  /// Reads sixteen stored bytes.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are sixteen.
  init(_ bytes: RawSpan) throws(CryptoError) {
    guard bytes.byteCount == Self.byteCount else { throw .malformed }
    self.init(high: bytes.bigEndian(at: 0), low: bytes.bigEndian(at: 8))
  }

  /// Reads sixteen stored bytes.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are sixteen.
  public init(_ bytes: [UInt8]) throws(CryptoError) {
    self = try bytes.withRawSpan { (span) throws(CryptoError) in try Identifier(span) }
  }

  /// The identifier of a document such as `settings`: the first 16 bytes of the SHA-256 of its name in UTF-8.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public init(documentNamed name: String) throws(CryptoError) {
    let hash = try SHA256.hash(of: Array(name.utf8))
    self = try Identifier(Array(hash.prefix(Self.byteCount)))
  }

  /// A random UUID of version 4 (RFC 9562, section 5.4): 122 random bits.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public static func random() throws(CryptoError) -> Identifier {
    guard let identifier = Identifier(randomBytes: try VaultCrypto.randomBytes(byteCount)) else {
      throw .malformed
    }
    return identifier
  }

  func store(in span: inout MutableRawSpan, at offset: Int) {
    span.store(bigEndian: high, at: offset)
    span.store(bigEndian: low, at: offset + 8)
  }

  /// The id of the conflict copy of a card's content: the same wherever it is made, and under every vault key.
  ///
  /// The first 16 bytes of SHA-256 over `quickvault/v1/copy` in ASCII, the vault's id, the card's id and the content's tag (8
  /// bytes), in the form of a UUID version 4.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public init(copyOf card: Identifier, tag: UInt64, in vault: Identifier) throws(CryptoError) {
    var message = Array("quickvault/v1/copy".utf8) + vault.bytes + card.bytes
    message.append(bigEndian: tag)
    guard let identifier = Identifier(randomBytes: try SHA256.hash(of: message).prefix(Self.byteCount)) else {
      throw .malformed
    }
    self = identifier
  }

  /// The identifier of a device for one vault: always the same for a user of a machine, and
  /// different for each vault, so that two vaults do not reveal that they share a device.
  ///
  /// It is the first 16 bytes of SHA-256 over `quickvault/v1/device-id`, the vault's id and the device's name, with the
  /// bits of a version 8 UUID (RFC 9562, section 5.8).
  ///
  /// - Parameters:
  ///   - name: identifies this user on this machine.
  ///   - vault: the vault.
  public init(device name: String, of vault: Identifier) throws(CryptoError) {
    let hash = try SHA256.hash(of: Array("quickvault/v1/device-id".utf8) + vault.bytes + Array(name.utf8))
    let whole = try Identifier(Array(hash.prefix(Self.byteCount)))
    self.init(
      high: whole.high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
      low: whole.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
