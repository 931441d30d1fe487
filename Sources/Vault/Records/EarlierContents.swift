import VaultCrypto
import VaultInterface
import Wire

/// What a card contained before it was edited, newest first, so that an edit can be taken back (R1).
///
/// It is part of the card's history: sealed with it, synchronised with it, and gone when the card is deleted. Attachments are no
/// part of it.
package struct EarlierContents: Hashable, Sendable {
  /// The most contents of a card, whatever the settings say.
  static let most = 50
  /// The most bytes of all contents of a card.
  static let longest = 256 << 10

  /// The encoded cards, with their times of modification.
  private(set) var records: [[UInt8]] = []

  package init() {}

  package var isEmpty: Bool { records.isEmpty }

  /// Returns these and another content, which is newer: no more than `count`, and none that was modified before a time.
  func adding(_ record: [UInt8], upTo count: Int, since time: Int64) -> EarlierContents {
    var earlier = EarlierContents()
    earlier.records = [record] + records.filter { $0 != record && Self.time(of: $0) >= time }
    earlier.limit(to: min(count, Self.most))
    return earlier
  }

  /// Returns the contents of both, in an order that does not depend on which are whose.
  func merged(with other: EarlierContents) -> EarlierContents {
    guard self != other else { return self }
    var earlier = EarlierContents()
    earlier.records = Array(Set(records + other.records)).sorted { left, right in
      let (one, two) = (Self.time(of: left), Self.time(of: right))
      return one == two ? right.lexicographicallyPrecedes(left) : one > two
    }
    earlier.limit(to: Self.most)
    return earlier
  }

  private mutating func limit(to count: Int) {
    var size = 0
    records = Array(
      records.prefix(count).prefix { record in
        size += record.count
        return size <= Self.longest
      })
  }

  private static func time(of record: [UInt8]) -> Int64 {
    record.withRawSpan { (try? CardRecord.head(of: $0))?.modifiedAt.milliseconds ?? .min }
  }
}

// number (1) ‖ length (4) and bytes of each.
extension EarlierContents {
  func encoded() -> [UInt8] {
    var bytes = [UInt8(truncatingIfNeeded: records.count)]
    for record in records {
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: record.count))
      bytes += record
    }
    return bytes
  }

  /// - Throws: ``CryptoError/malformed`` for none or too many of them, or for one that does not begin as a card.
  init(from reader: inout ByteReader) throws(CryptoError) {
    let count = Int(try reader.number(1))
    guard 1...Self.most ~= count else { throw .malformed }
    var size = 0
    for _ in 0..<count {
      let length = Int(try reader.number(4))
      size += length
      guard size <= Self.longest else { throw .malformed }
      let record = Array(try reader.bytes(length))
      guard record.withRawSpan({ (try? CardRecord.head(of: $0)) != nil }) else { throw .malformed }
      records.append(record)
    }
  }
}
