/// Sixteen bytes as two big-endian halves: cheap to copy, compare and hash, with no reference counting.
struct SixteenBytes: Hashable, Sendable {
  var high: UInt64
  var low: UInt64

  static let count = 16

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ bytes: RawSpan) throws(CryptoError) {
    guard bytes.byteCount == Self.count else { throw .malformed }
    high = bytes.bigEndian(at: 0)
    low = bytes.bigEndian(at: 8)
  }

  init(_ bytes: [UInt8]) throws(CryptoError) {
    self = try bytes.withRawSpan { (span) throws(CryptoError) in try SixteenBytes(span) }
  }

  static func random() throws(CryptoError) -> SixteenBytes {
    try SixteenBytes(randomBytes(count))
  }

  var bytes: [UInt8] {
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
