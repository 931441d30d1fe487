/// A UUID (RFC 9562) that names a vault, a record, a slot or a device: sixteen bytes, ordered by their values.
public struct Identifier: Hashable, Sendable {
  /// The first eight bytes, big-endian.
  public let high: UInt64
  /// The last eight bytes, big-endian.
  public let low: UInt64

  /// The number of bytes of an identifier.
  public static let byteCount = 16

  /// Sixteen zero bytes, which name the head of a vault.
  public static let zero = Identifier(high: 0, low: 0)

  /// An identifier from its two halves, each read big-endian.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An identifier from its bytes, or nil when there are not exactly sixteen.
  @inlinable public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// A version 4 UUID (RFC 9562, section 5.4): the given bytes with version and variant set.
  ///
  /// Nil when there are not exactly sixteen bytes.
  /// - Parameter randomBytes: sixteen bytes from a cryptographic random source.
  @inlinable public init?(randomBytes: some Collection<UInt8>) {
    guard let random = Identifier(bytes: randomBytes) else { return nil }
    self.init(high: random.high & ~0xF000 | 0x4000, low: random.low & ~(0b11 << 62) | 0b10 << 62)
  }

  /// An identifier from its text, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in either case, or nil for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, character) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = UInt8(hexadecimalDigit: character) else { return nil }
      if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
    }
    self.init(high: high, low: low)
  }

  /// The sixteen bytes.
  public var bytes: [UInt8] {
    unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe [UInt8]($0) }
  }

  /// The number under which the vault file keeps the record: the first eight bytes, big-endian, as a signed integer.
  public var number: Int64 { Int64(bitPattern: high) }
}

extension Identifier: Comparable {
  /// Orders identifiers by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension Identifier: CustomStringConvertible {
  /// The text in lower case, as on the wire.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
      let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - 4 * (index & 15))) & 15
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Sequence<UInt8> {
  /// The bytes in hexadecimal, two digits each, in lower case.
  public var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension [UInt8] {
  /// Bytes from pairs of hexadecimal digits in either case, or nil for any other text.
  public init?(hexadecimal text: String) {
    let digits = text.utf8.map { UInt8(hexadecimalDigit: $0) }
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      append(high << 4 | low)
    }
  }
}

extension Collection<UInt8> {
  /// The bytes without their percent-encoding (RFC 3986); nil if a `%` is not followed by two hexadecimal digits.
  package var percentDecoded: [UInt8]? {
    var (bytes, rest) = ([UInt8](), self[...])
    bytes.reserveCapacity(count)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(UInt8.init(hexadecimalDigit:)),
        let low = rest.popFirst().flatMap(UInt8.init(hexadecimalDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in either case, or nil for any other character.
  init?(hexadecimalDigit character: UInt8) {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self = character - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}
