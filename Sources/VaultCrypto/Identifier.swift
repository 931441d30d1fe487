/// The 16 bytes that name a vault, a record or a slot.
public struct Identifier: Hashable, Sendable {
  let value: SixteenBytes

  /// The length of an identifier in bytes.
  public static let count = SixteenBytes.count

  /// Sixteen zero bytes: the record id of a vault's head.
  public static let zero = Identifier(high: 0, low: 0)

  /// Makes an identifier from its two halves: the first eight bytes and the last eight, each big-endian.
  public init(high: UInt64, low: UInt64) {
    value = SixteenBytes(high: high, low: low)
  }

  /// Takes an identifier that was stored.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: RawSpan) throws(CryptoError) {
    value = try SixteenBytes(bytes)
  }

  /// Takes an identifier that was stored.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: [UInt8]) throws(CryptoError) {
    value = try SixteenBytes(bytes)
  }

  /// The identifier of a document such as `settings`: the first 16 bytes of the SHA-256 of its name in UTF-8.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public init(documentNamed name: String) throws(CryptoError) {
    let hash = try SHA256.hash(of: Array(name.utf8))
    value = try SixteenBytes(Array(hash.prefix(Self.count)))
  }

  /// A fresh random identifier, in the form of a UUID version 4 (RFC 9562, section 5.4): 122 random bits.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public static func random() throws(CryptoError) -> Identifier {
    let random = try SixteenBytes.random()
    return Identifier(
      high: random.high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      low: random.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// The first eight bytes, big-endian.
  public var high: UInt64 { value.high }

  /// The last eight bytes, big-endian.
  public var low: UInt64 { value.low }

  /// The 16 bytes.
  public var bytes: [UInt8] { value.bytes }
}
