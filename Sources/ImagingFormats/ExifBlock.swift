/// An Exif block: TIFF directories with the camera's metadata (CIPA DC-008).
///
/// Blocks are decoded and encoded again, never copied, so that nothing survives between the values. Previews, maker
/// notes (which may contain one) and values longer than 2,048 bytes are dropped.
package struct ExifBlock {
  private struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    var value: [UInt8]
  }

  private struct Directory {
    var entries: [Entry] = []
    var children: [(tag: Int, directory: Directory)] = []
  }

  private static let orientationTag = 0x0112
  /// The pointers to the Exif, GPS and interoperability directories.
  private static let directoryTags: Set<Int> = [0x8769, 0x8825, 0xA005]
  /// Tags of previews, other metadata blocks and maker notes.
  private static let droppedTags: Set<Int> = [
    0x0111, 0x0117, 0x0144, 0x0145, 0x014A, 0x0201, 0x0202, 0x02BC, 0x83BB, 0x8649, 0x927C, 0xEA1C,
  ]
  private static let maximumValueLength = 2048
  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

  private let isBigEndian: Bool
  private var root: Directory

  /// Decodes a block that starts with the byte order mark; nil if it is not a TIFF header and directory.
  package init?(_ bytes: [UInt8]) {
    guard bytes.has("II*\0", at: 0) || bytes.has("MM\0*", at: 0) else { return nil }
    isBigEndian = bytes.has("MM", at: 0)
    var reader = Reader(bytes: bytes, isBigEndian: isBigEndian)
    guard let start = reader.number(at: 4, count: 4), let root = reader.directory(at: start, depth: 0) else {
      return nil
    }
    self.root = root
  }

  /// Creates a block with an orientation only.
  package init(orientation: Int) {
    isBigEndian = true
    root = Directory(entries: [
      Entry(tag: Self.orientationTag, type: 3, count: 1, value: [0, UInt8(clamping: orientation)])
    ])
  }

  /// The orientation, 1...8; 1 if the block has none.
  package var orientation: Int {
    guard let entry = root.entries.first(where: { $0.tag == Self.orientationTag }), entry.type == 3 else {
      return 1
    }
    let value =
      isBigEndian ? entry.value.bigEndian(at: 0, count: 2) : entry.value.littleEndian(at: 0, count: 2)
    return value.flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
  }

  package var encoded: [UInt8] {
    var bytes = Array((isBigEndian ? "MM\0*" : "II*\0").utf8)
    append(8, 4, to: &bytes)
    return bytes + encode(root, at: 8)
  }

  private func append(_ value: Int, _ count: Int, to bytes: inout [UInt8]) {
    var digits: [UInt8] = []
    digits.append(bigEndian: value, count: count)
    bytes += isBigEndian ? digits : digits.reversed()
  }

  /// Encodes a directory, followed by the values that do not fit in its entries and by its subdirectories.
  private func encode(_ directory: Directory, at start: Int) -> [UInt8] {
    let tags = directory.entries.map(\.tag) + directory.children.map(\.tag)
    let count = tags.count
    let valueBytes = directory.entries.filter { $0.value.count > 4 }.reduce(0) {
      $0 + $1.value.count + $1.value.count % 2
    }
    var childStart = start + 2 + 12 * count + 4 + valueBytes
    var valueStart = start + 2 + 12 * count + 4
    var values: [UInt8] = []
    var children: [UInt8] = []
    var rows: [(tag: Int, row: [UInt8])] = []
    for entry in directory.entries {
      var row: [UInt8] = []
      append(entry.tag, 2, to: &row)
      append(entry.type, 2, to: &row)
      append(entry.count, 4, to: &row)
      if entry.value.count <= 4 {
        row += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        append(valueStart, 4, to: &row)
        let padded = entry.value + [UInt8](repeating: 0, count: entry.value.count % 2)
        values += padded
        valueStart += padded.count
      }
      rows.append((entry.tag, row))
    }
    for child in directory.children {
      var row: [UInt8] = []
      append(child.tag, 2, to: &row)
      append(4, 2, to: &row)
      append(1, 4, to: &row)
      append(childStart, 4, to: &row)
      rows.append((child.tag, row))
      let encoded = encode(child.directory, at: childStart)
      children += encoded
      childStart += encoded.count
    }
    var bytes: [UInt8] = []
    append(count, 2, to: &bytes)
    for row in rows.sorted(by: { $0.tag < $1.tag }) { bytes += row.row }
    return bytes + [0, 0, 0, 0] + values + children
  }

  /// Follows offsets; visits each directory once and nests at most three deep.
  private struct Reader {
    let bytes: [UInt8]
    let isBigEndian: Bool
    private var seen: Set<Int> = []

    init(bytes: [UInt8], isBigEndian: Bool) {
      self.bytes = bytes
      self.isBigEndian = isBigEndian
    }

    func number(at offset: Int, count: Int) -> Int? {
      isBigEndian ? bytes.bigEndian(at: offset, count: count) : bytes.littleEndian(at: offset, count: count)
    }

    mutating func directory(at start: Int, depth: Int) -> Directory? {
      guard depth < 3, seen.insert(start).inserted, let count = number(at: start, count: 2) else {
        return nil
      }
      var directory = Directory()
      for offset in stride(from: start + 2, to: start + 2 + 12 * min(count, 512), by: 12) {
        guard let tag = number(at: offset, count: 2), let type = number(at: offset + 2, count: 2),
          let count = number(at: offset + 4, count: 4), let place = number(at: offset + 8, count: 4)
        else { break }
        if directoryTags.contains(tag) {
          guard let child = self.directory(at: place, depth: depth + 1) else { continue }
          directory.children.append((tag, child))
        } else if let value = value(type: type, count: count, at: offset + 8, place: place),
          !droppedTags.contains(tag)
        {
          directory.entries.append(Entry(tag: tag, type: type, count: count, value: value))
        }
      }
      return directory
    }

    private func value(type: Int, count: Int, at inside: Int, place: Int) -> [UInt8]? {
      guard sizes.indices.contains(type), sizes[type] > 0, count > 0, count <= maximumValueLength else {
        return nil
      }
      let length = sizes[type] * count
      let start = length <= 4 ? inside : place
      guard length <= maximumValueLength, start >= 0, start <= bytes.count - length else { return nil }
      return Array(bytes[start..<(start + length)])
    }
  }
}
