/// Sixteen random bytes that make a derived key differ from every other.
public struct Salt: Hashable, Sendable {
  let value: SixteenBytes

  /// The length of a salt in bytes.
  public static let count = SixteenBytes.count

  /// Makes a fresh salt.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public init() throws(CryptoError) {
    value = try SixteenBytes.random()
  }

  /// Takes a salt that was stored.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: RawSpan) throws(CryptoError) {
    value = try SixteenBytes(bytes)
  }

  /// Takes a salt that was stored.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: [UInt8]) throws(CryptoError) {
    value = try SixteenBytes(bytes)
  }

  /// The 16 bytes.
  public var bytes: [UInt8] { value.bytes }
}
