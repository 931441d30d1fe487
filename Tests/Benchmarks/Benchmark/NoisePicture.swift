import TestSamples

/// A PNG with incompressible pixels, so that a decoder has to read nearly all of its bytes; the same on every machine.
struct NoisePicture {
  /// The file.
  let bytes: [UInt8]

  private static let (side, rowBytes) = (1_868, 1_868 * 3 + 1)

  /// Makes a picture of exactly `count` bytes, of which 10,470,156 are pixels.
  ///
  /// - Parameter count: at least 10,471,300.
  init(bytes count: Int) {
    var random = SeededGenerator(seed: 10)
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file.reserveCapacity(count)
    let side = Self.bigEndian(UInt32(Self.side))
    Self.append("IHDR", side + side + [8, 2, 0, 0, 0], to: &file)
    var data: [UInt8] = [0x78, 0x01]
    let rows = Self.rows(&random)
    Self.appendStored(rows, to: &data)
    data += Self.bigEndian(Self.adler(of: rows))
    Self.append("IDAT", data, to: &file)
    // What is left over goes to a chunk that decoders pass over: 12 bytes for it, and 12 for the end.
    Self.append("quVa", [UInt8](repeating: 0, count: max(count - file.count - 24, 0)), to: &file)
    Self.append("IEND", [], to: &file)
    bytes = file
  }

  /// The pixels, three bytes each, with filter type 0 before each row.
  private static func rows(_ random: inout SeededGenerator) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(side * rowBytes + 8)
    for _ in 0..<side {
      rows.append(0)
      let end = rows.count + rowBytes - 1
      while rows.count < end {
        let number = random.next()
        for byte in 0..<min(8, end - rows.count) {
          rows.append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
        }
      }
    }
    return rows
  }

  /// Stored blocks of at most 65,535 bytes (RFC 1951, 3.2.4).
  private static func appendStored(_ bytes: [UInt8], to data: inout [UInt8]) {
    var position = 0
    while position < bytes.count {
      let count = min(bytes.count - position, 65_535)
      let isLast: UInt8 = position + count == bytes.count ? 1 : 0
      let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
      data += [isLast, low, high, ~low, ~high]
      data += bytes[position..<position + count]
      position += count
    }
  }

  // MARK: Checksums

  private static func append(_ kind: String, _ data: [UInt8], to file: inout [UInt8]) {
    let body = Array(kind.utf8) + data
    file += bigEndian(UInt32(data.count)) + body + bigEndian(crc(of: body))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  private static func crc(of bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    return ~value
  }

  private static func adler(of bytes: [UInt8]) -> UInt32 {
    var (sum, sums): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      sum = (sum + UInt32(byte)) % 65_521
      sums = (sums + sum) % 65_521
    }
    return sums << 16 | sum
  }
}
