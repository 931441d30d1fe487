/// A keyed hash of a set of sealed records that is updated record by record, in any order.
///
/// The sum modulo 2^256 of one ``Element`` for each record: MSet-Add-Hash of Clarke, Devadas, van Dijk, Gassend and Suh,
/// "Incremental Multiset Hash Functions and Their Application to Memory Integrity Checking", Asiacrypt 2003. It is kept
/// sealed in the vault's head, so that a record that was deleted, duplicated, swapped or rolled back is detected.
public struct RecordHash: Hashable, Sendable {
  /// The contribution of one record to the hash, made by ``RecordHasher``.
  public struct Element: Hashable, Sendable {
    let value: RecordHash

    init(code: RawSpan) throws(CryptoError) {
      value = try RecordHash(code)
    }
  }

  /// Four 64-bit digits, the most significant first.
  private var digits: (UInt64, UInt64, UInt64, UInt64)

  /// The length of a hash in bytes.
  public static let count = 32

  /// The hash of no records: zero.
  public init() {
    digits = (0, 0, 0, 0)
  }

  /// Reads a stored hash, a big-endian integer.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 32 bytes.
  public init(_ bytes: RawSpan) throws(CryptoError) {
    guard bytes.byteCount == Self.count else { throw .malformed }
    digits = (
      bytes.bigEndian(at: 0), bytes.bigEndian(at: 8), bytes.bigEndian(at: 16), bytes.bigEndian(at: 24)
    )
  }

  /// The hash as 32 big-endian bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.count)
    for digit in [digits.0, digits.1, digits.2, digits.3] { bytes.append(bigEndian: digit) }
    return bytes
  }

  public mutating func add(_ element: Element) {
    add(element.value)
  }

  /// Adds all records of another hash; the two must be disjoint.
  public mutating func add(_ other: RecordHash) {
    combine(other) { digit, other, carry in
      let (sum, overflow) = digit.addingReportingOverflow(other)
      let (total, carried) = sum.addingReportingOverflow(carry)
      return (total, overflow || carried ? 1 : 0)
    }
  }

  /// Removes a record.
  public mutating func remove(_ element: Element) {
    combine(element.value) { digit, other, borrow in
      let (difference, overflow) = digit.subtractingReportingOverflow(other)
      let (total, borrowed) = difference.subtractingReportingOverflow(borrow)
      return (total, overflow || borrowed ? 1 : 0)
    }
  }

  private mutating func combine(
    _ hash: RecordHash,
    _ step: (_ digit: UInt64, _ other: UInt64, _ carry: UInt64) -> (digit: UInt64, carry: UInt64)
  ) {
    let other = hash.digits
    var carry: UInt64 = 0
    (digits.3, carry) = step(digits.3, other.3, carry)
    (digits.2, carry) = step(digits.2, other.2, carry)
    (digits.1, carry) = step(digits.1, other.1, carry)
    (digits.0, _) = step(digits.0, other.0, carry)
  }

  public static func == (left: RecordHash, right: RecordHash) -> Bool {
    left.digits == right.digits
  }

  /// Hashes the 32 bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(digits.0)
    hasher.combine(digits.1)
    hasher.combine(digits.2)
    hasher.combine(digits.3)
  }
}
