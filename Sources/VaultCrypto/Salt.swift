/// Sixteen random bytes that make a derived key differ from every other.
///
/// Two integers rather than an array: a salt is read with every record, and costs no allocation.
public struct Salt: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// The length of a salt in bytes.
  public static let count = 16

  init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Generates a salt.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public init() throws(CryptoError) {
    try self.init(randomBytes(Self.count))
  }

  /// Reads a stored salt.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: RawSpan) throws(CryptoError) {
    guard bytes.byteCount == Self.count else { throw .malformed }
    high = bytes.bigEndian(at: 0)
    low = bytes.bigEndian(at: 8)
  }

  /// Reads a stored salt.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: [UInt8]) throws(CryptoError) {
    self = try bytes.withRawSpan { (span) throws(CryptoError) in try Salt(span) }
  }

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.count)
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }

  func store(in span: inout MutableRawSpan, at offset: Int) {
    span.store(bigEndian: high, at: offset)
    span.store(bigEndian: low, at: offset + 8)
  }
}
