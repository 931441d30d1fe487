/// The 16 random bytes that name a vault, a card or a slot, as two words.
public struct StoredID: Hashable, Sendable {
  /// The first eight bytes, big-endian.
  public let high: UInt64
  /// The last eight bytes, big-endian.
  public let low: UInt64

  /// An id from its two halves, each read as a big-endian word.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An id from its bytes, or nil unless there are exactly 16.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The 16 bytes, as they are in the file.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// The key of a card's row: the first eight bytes as a signed integer.
  ///
  /// Rows are stored by this number, so a card is found without a second index, and the order of rows, being
  /// that of random numbers, tells nothing about the order in which cards were made.
  public var number: Int64 { Int64(bitPattern: high) }
}
