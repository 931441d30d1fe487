package import VaultCrypto
import VaultStore
import Wire

/// A file of a replica's stream, decrypted: families that it wrote, and what it has seen of the others.
package struct Segment: Hashable {
  typealias Part = SegmentPart

  var part: Part = []
  /// SHA-256 of the segment before; zeros in the first of a stream.
  var previous = [UInt8](repeating: 0, count: SHA256.count)
  /// When it was published: milliseconds since 1970 UTC.
  var publishedAt: Int64 = 0
  /// The name of the machine, at most ``longestMachine`` bytes.
  var machine = ""
  /// The newest segment of each other replica that this one has seen.
  var seen: [Identifier: Int64] = [:]
  /// The settings, if they changed.
  var settings: String?
  var families = CardFamilies()

  /// The plaintext from which a new segment is begun, in bytes.
  static let targetSize = 1 << 20
  /// The least to which ``targetSize`` is lowered for a server that does not take files as large.
  static let leastTargetSize = 32 << 10
  /// The longest segment, in bytes: one family of the longest card and its conflict copies.
  static let longest = 80 << 20
  /// The longest settings, in bytes. To read longer ones, which no vault can store, would take long.
  private static let longestSettings = 1 << 20
  /// The longest name of a machine, in bytes.
  static let longestMachine = 255
  /// The most other replicas that a segment can have seen.
  static let mostSeen = 1_000
}

// version (1) ‖ part (1) ‖ previous (32) ‖ published at (8) ‖ machine: length (1), text ‖ replicas: number (2), each id (16), number
// of the segment (8) ‖ settings: length (4), text ‖ cards: number (4), each id (16), revision (8), sealed: length (4), bytes, history:
// length (4), bytes ‖ zeros.
extension Segment {
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = [1, part.rawValue] + previous
    bytes.append(bigEndian: publishedAt)
    let name = Array(machine.prefix(upToBytes: Self.longestMachine).utf8)
    bytes += [UInt8(truncatingIfNeeded: name.count)] + name
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: seen.count))
    for (replica, sequence) in seen.sorted(by: { $0.key < $1.key }) {
      bytes += replica.bytes
      bytes.append(bigEndian: sequence)
    }
    bytes.append(counted: Array((settings ?? "").utf8))
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: families.histories.count))
    for (id, history) in families.histories.sorted(by: { $0.key < $1.key }) {
      bytes += id.bytes
      bytes.append(bigEndian: families.rows[id]?.revision ?? 0)
      bytes.append(counted: families.rows[id]?.sealed ?? [])
      bytes.append(counted: history.encoded())
    }
    bytes += [UInt8](repeating: 0, count: Self.paddedCount(bytes.count) - bytes.count)
    return bytes
  }

  /// Returns the length to which a plaintext is padded, so that it tells little about what changed.
  static func paddedCount(_ count: Int) -> Int {
    if count <= 1_024 { return 1_024 }
    if count <= 2_048 { return 2_048 }
    return (count + 4_095) / 4_096 * 4_096
  }

  /// Reads a segment that was opened.
  ///
  /// - Throws: ``CryptoError/malformed`` for an unknown version or part, lengths that do not match, text that is not UTF-8, a
  ///   replica or a card twice or out of order, more replicas than ``mostSeen``, a record that is too short, settings that are
  ///   malformed or too long, a card with a revision below 1, a number above ``ByteReader/highestOrdinal``, what belongs to one
  ///   replica, a card that is deleted and not, two cards that no vault can have together, a conflict copy without its card,
  ///   or padding that is not zero or not the shortest.
  package init(decoding bytes: [UInt8]) throws(CryptoError) {
    var reader = ByteReader(bytes[...])
    let (version, part) = (try reader.number(1), UInt8(truncatingIfNeeded: try reader.number(1)))
    guard version == 1, part < 4 else { throw .malformed }
    self.part = Part(rawValue: part)
    previous = Array(try reader.bytes(SHA256.count))
    publishedAt = Int64(bitPattern: try reader.number(8))
    machine = try reader.text(Int(try reader.number(1)))
    var last: Identifier?
    let seenCount = try reader.number(2)
    guard seenCount <= Self.mostSeen else { throw .malformed }
    for _ in 0..<seenCount {
      let id = try reader.identifier(after: last)
      guard let sequence = Int64(exactly: try reader.number(8)) else { throw .malformed }
      seen[id] = sequence
      last = id
    }
    let count = Int(try reader.number(4))
    guard count <= Self.longestSettings else { throw .malformed }
    let text = try reader.text(count)
    guard KeyValueText(text) != nil else { throw .malformed }
    settings = text.isEmpty ? nil : text
    last = nil
    for _ in 0..<(try reader.number(4)) {
      let id = try reader.identifier(after: last)
      let revision = try reader.ordinal()
      let sealed = Array(try reader.bytes(Int(try reader.number(4))))
      let history = try CardHistory(decoding: Array(try reader.bytes(Int(try reader.number(4)))))
      guard let versions = history.versions, versions == versions.published, versions.canGoOn,
        sealed.isEmpty == (history.deletedAt != nil),
        sealed.isEmpty ? revision == 0 : revision > 0 && sealed.count > RecordSealer.overhead
      else { throw .malformed }
      families.histories[id] = history
      if !sealed.isEmpty { families.rows[id] = CardRow(id: id, revision: revision, sealed: sealed) }
      last = id
    }
    guard families.areWhole, bytes.count == Self.paddedCount(bytes.count - reader.count),
      try reader.bytes(reader.count).allSatisfy({ $0 == 0 })
    else { throw .malformed }
  }

  /// Whether a stream may begin with the segment.
  var isFirst: Bool { part.contains(.begins) && previous.allSatisfy { $0 == 0 } }
}

extension CardFamilies {
  /// Whether each conflict copy is with its card, and no two cards have the same number in a vault.
  fileprivate var areWhole: Bool {
    Set(histories.keys.map(\.number)).count == histories.count
      && histories.values.allSatisfy { history in
        history.origin.map { histories[$0.card].map { $0.origin == nil } ?? false } ?? true
      }
  }
}

extension String {
  /// Returns the first characters that have no more than a number of bytes together.
  func prefix(upToBytes limit: Int) -> String {
    var text = self
    while text.utf8.count > limit { text.removeLast() }
    return text
  }
}

extension [UInt8] {
  fileprivate mutating func append(counted bytes: [UInt8]) {
    append(bigEndian: UInt32(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}

extension ByteReader {
  fileprivate mutating func text(_ count: Int) throws(CryptoError) -> String {
    guard let text = String(validating: try bytes(count), as: UTF8.self) else { throw .malformed }
    return text
  }

  fileprivate mutating func identifier(after last: Identifier?) throws(CryptoError) -> Identifier {
    let id = try identifier()
    if let last, last >= id { throw .malformed }
    return id
  }
}
