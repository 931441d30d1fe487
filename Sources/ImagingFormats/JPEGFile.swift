/// The segments of a JPEG file (ISO/IEC 10918-1, annex B); the image itself is not decoded.
package struct JPEGFile {
  private struct Segment {
    let marker: UInt8
    /// The whole segment with its marker and, after a scan header, its entropy-coded data.
    let range: Range<Int>
    let payload: Range<Int>
  }

  private static let startOfImage: UInt8 = 0xD8
  private static let endOfImage: UInt8 = 0xD9
  private static let startOfScan: UInt8 = 0xDA
  private static let exifName = Array("Exif\0\0".utf8)
  private static let profileName = Array("ICC_PROFILE\0".utf8)

  private let bytes: [UInt8]
  private var segments: [Segment] = []

  /// Reads the segments up to the end of the first image; anything after that is ignored.
  ///
  /// - Throws: ``ImagingError/truncated(_:)`` and ``ImagingError/damaged(_:)``.
  package init(_ bytes: [UInt8]) throws(ImagingError) {
    self.bytes = bytes
    var position = 2
    while true {
      guard let marker = nextMarker(&position) else { throw .truncated("no end-of-image marker") }
      let start = position - 2
      if marker == Self.endOfImage { return }
      if marker == 0x01 || (0xD0...0xD7).contains(marker) { continue }
      guard let length = bytes.bigEndian(at: position, count: 2) else {
        throw .truncated("a segment is truncated")
      }
      guard length >= 2, marker >= 0xC0, marker != Self.startOfImage else {
        throw .damaged("a segment has an invalid marker or length")
      }
      guard position + length <= bytes.count else { throw .truncated("a segment is truncated") }
      let payload = (position + 2)..<(position + length)
      position += length
      if marker == Self.startOfScan { skipCodedData(&position) }
      segments.append(Segment(marker: marker, range: start..<position, payload: payload))
    }
  }

  /// Advances past the next marker. Stray bytes between segments are skipped, as decoders do.
  private func nextMarker(_ position: inout Int) -> UInt8? {
    while position < bytes.count - 1 {
      if bytes[position] == 0xFF, bytes[position + 1] != 0, bytes[position + 1] != 0xFF {
        position += 2
        return bytes[position - 1]
      }
      position += 1
    }
    return nil
  }

  /// Advances to the marker after the entropy-coded data.
  private func skipCodedData(_ position: inout Int) {
    while position < bytes.count - 1 {
      if bytes[position] == 0xFF {
        let next = bytes[position + 1]
        if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return }
      }
      position += 1
    }
  }

  private func isExif(_ segment: Segment) -> Bool {
    segment.marker == 0xE1 && bytes[segment.payload].starts(with: Self.exifName)
  }

  /// The first Exif block.
  package var exif: ExifBlock? {
    segments.first(where: isExif).flatMap {
      ExifBlock(Array(bytes[$0.payload].dropFirst(Self.exifName.count)))
    }
  }

  /// Returns the file with its image, colour profile, colour transform and density, and `exif` as its only other metadata.
  func replacingMetadata(by exif: ExifBlock?) -> [UInt8] {
    var result: [UInt8] = [0xFF, Self.startOfImage]
    result += head(exif)
    for segment in segments where !isMetadata(segment.marker) { result += bytes[segment.range] }
    return result + [0xFF, Self.endOfImage]
  }

  /// Returns `coded`, a JPEG without APPn segments, with this file's colour and density segments and `exif`.
  package func transplantingMetadata(to coded: [UInt8], exif: ExifBlock?) -> [UInt8] {
    [0xFF, Self.startOfImage] + head(exif) + coded.dropFirst(2)
  }

  private func isMetadata(_ marker: UInt8) -> Bool {
    (0xE0...0xEF).contains(marker) || marker == 0xFE
  }

  private func head(_ exif: ExifBlock?) -> [UInt8] {
    var result: [UInt8] = []
    for segment in segments {
      let payload = bytes[segment.payload]
      switch segment.marker {
      case 0xE0 where payload.starts(with: Array("JFIF\0".utf8)) && payload.count >= 14:
        /* Drop the thumbnail, whose size is in the last two bytes. */
        result += Self.segment(0xE0, payload.prefix(12) + [0, 0])
      case 0xE2 where payload.starts(with: Self.profileName): result += bytes[segment.range]
      case 0xEE where payload.starts(with: Array("Adobe".utf8)):
        result += Self.segment(0xEE, payload.prefix(12))
      default: break
      }
    }
    let block = exif.map { Self.exifName + $0.encoded }
    guard let block, block.count < 65_534 else { return result }
    return result + Self.segment(0xE1, block[...])
  }

  private static func segment(_ marker: UInt8, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, marker]
    bytes.append(bigEndian: payload.count + 2, count: 2)
    return bytes + payload
  }
}
