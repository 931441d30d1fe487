/// The chunks of a PNG file (ISO/IEC 15948).
package struct PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private struct Chunk {
    let name: String
    let range: Range<Int>
    let payload: Range<Int>
  }

  /// Chunks that define colour and pixel density.
  private static let colourChunks: Set<String> = [
    "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "pHYs",
  ]
  /// Chunks of the image itself, including animation frames.
  private static let pictureChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "bKGD", "sBIT", "acTL", "fcTL", "fdAT",
  ]

  private let bytes: [UInt8]
  private var chunks: [Chunk] = []

  /// Reads the chunks and checks their CRCs.
  ///
  /// - Throws: ``ImagingError/truncated(_:)``, and ``ImagingError/damaged(_:)``, also if data follows the last chunk.
  package init(_ bytes: [UInt8]) throws(ImagingError) {
    self.bytes = bytes
    let table = Self.table
    var position = Self.signature.count
    while chunks.last?.name != "IEND" {
      guard let length = bytes.bigEndian(at: position, count: 4),
        let crc = bytes.bigEndian(at: position + 8 + length, count: 4)
      else { throw .truncated("a chunk is truncated") }
      let range = position..<(position + 12 + length)
      guard Self.crc(bytes, (position + 4)..<(range.upperBound - 4), table) == crc else {
        throw .damaged("a chunk's CRC does not match")
      }
      let name = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      chunks.append(Chunk(name: name, range: range, payload: (position + 8)..<(range.upperBound - 4)))
      position = range.upperBound
    }
    guard position == bytes.count else { throw .damaged("bytes after the end of the picture") }
    guard chunks.first?.name == "IHDR" else { throw .damaged("no header") }
  }

  package var exif: ExifBlock? {
    chunks.first { $0.name == "eXIf" }.flatMap { ExifBlock(Array(bytes[$0.payload])) }
  }

  /// Returns the file with its image, colour and density chunks, and `exif` as its only other metadata.
  func replacingMetadata(by exif: ExifBlock?) -> [UInt8] {
    assembled(from: self, kept: Self.pictureChunks.union(Self.colourChunks), exif: exif)
  }

  /// Returns `coded`, a PNG of the same image, with this file's colour and density chunks and `exif`.
  package func transplantingMetadata(to coded: [UInt8], exif: ExifBlock?) throws(ImagingError) -> [UInt8] {
    assembled(from: try PNGFile(coded), kept: ["IHDR", "PLTE", "IDAT", "IEND", "tRNS"], exif: exif)
  }

  /// Places the colour chunks before the palette and the pixels, as the standard requires.
  private func assembled(from picture: PNGFile, kept: Set<String>, exif: ExifBlock?) -> [UInt8] {
    var result = Self.signature
    for chunk in picture.chunks where kept.contains(chunk.name) && !Self.colourChunks.contains(chunk.name) {
      result += picture.bytes[chunk.range]
      guard chunk.name == "IHDR" else { continue }
      for colour in chunks where Self.colourChunks.contains(colour.name) { result += bytes[colour.range] }
      if let exif { result += Self.chunk("eXIf", exif.encoded) }
    }
    return result
  }

  private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.append(bigEndian: payload.count, count: 4)
    result += Array(name.utf8) + payload
    result.append(bigEndian: crc(result, 4..<result.count, table), count: 4)
    return result
  }

  /// The CRC table (ISO/IEC 15948, annex D).
  private static var table: [UInt32] {
    (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
  }

  private static func crc(_ bytes: [UInt8], _ range: Range<Int>, _ table: [UInt32]) -> Int {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes[range] { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    return Int(value ^ 0xFFFF_FFFF)
  }
}
