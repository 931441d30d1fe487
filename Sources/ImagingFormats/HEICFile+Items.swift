/// Items: their types, references and locations.
extension HEICFile {
  package var exif: ExifBlock? {
    guard let number = (try? itemTypes())?.first(where: { $0.value == "Exif" })?.key,
      let ranges = try? locations()[number], let range = ranges.first,
      let skipped = bytes.bigEndian(at: range.lowerBound, count: 4)
    else { return nil }
    let start = range.lowerBound + 4 + skipped
    guard start < range.upperBound else { return nil }
    return ExifBlock(Array(bytes[start..<range.upperBound]))
  }

  /// Reads the `iref` box.
  func readReferences() throws(ImagingError) -> [(type: String, item: Int, targets: [Int])] {
    guard let box = child("iref"), let version = bytes.bigEndian(at: box.content.lowerBound, count: 1) else {
      return []
    }
    let size = version == 0 ? 2 : 4
    return try HEICFile.boxes(in: box.content.dropFirst(4), of: bytes).map { reference in
      let start = reference.content.lowerBound
      let count = bytes.bigEndian(at: start + size, count: 2) ?? 0
      let end = min(start + size + 2 + count * size, reference.content.upperBound)
      let places = stride(from: start + size + 2, to: end, by: size)
      let item = bytes.bigEndian(at: start, count: size) ?? 0
      return (reference.type, item, places.compactMap { bytes.bigEndian(at: $0, count: size) })
    }
  }

  /// Returns the item types by item ID.
  func itemTypes() throws(ImagingError) -> [Int: String] {
    guard let box = child("iinf"), let version = bytes.bigEndian(at: box.content.lowerBound, count: 1) else {
      throw .damaged("no items")
    }
    var types: [Int: String] = [:]
    for entry in try HEICFile.boxes(in: box.content.dropFirst(version == 0 ? 6 : 8), of: bytes)
    where entry.type == "infe" {
      let start = entry.content.lowerBound
      guard let version = bytes.bigEndian(at: start, count: 1), version >= 2 else { continue }
      let size = version == 2 ? 2 : 4
      guard let number = bytes.bigEndian(at: start + 4, count: size),
        start + 10 + size <= entry.content.upperBound
      else {
        throw .damaged("an item is truncated")
      }
      types[number] = String(decoding: bytes[(start + 6 + size)..<(start + 10 + size)], as: UTF8.self)
    }
    return types
  }

  /// Returns the byte ranges by item ID.
  func locations() throws(ImagingError) -> [Int: [Range<Int>]] {
    var places: [Int: [Range<Int>]] = [:]
    let inside = child("idat")?.content.lowerBound ?? 0
    try eachExtent { item, method, offset, length, _ throws(ImagingError) in
      let start = offset + (method == 1 ? inside : 0)
      guard method < 2, start >= 0, length >= 0, start <= bytes.count - length else {
        throw .truncated("an item extends beyond the end of the file")
      }
      places[item, default: []].append(start..<(start + length))
    }
    return places
  }

  /// An integer of the `iloc` box.
  struct Field {
    let position: Int
    let size: Int
    let value: Int
  }

  /// Calls `body` for each extent of the `iloc` box with the item ID, construction method, offset, length, and the
  /// field to adjust when data before the item grows (of size 0 if there is none).
  func eachExtent(
    _ body: (Int, Int, Int, Int, Field) throws(ImagingError) -> Void
  ) throws(ImagingError) {
    guard let box = child("iloc") else { throw .damaged("no item locations") }
    var cursor = box.content.lowerBound
    func field(_ size: Int) throws(ImagingError) -> Field {
      guard size > 0 else { return Field(position: cursor, size: 0, value: 0) }
      /* The upper half of an eight-byte field is zero: no file is that long. */
      guard let high = size == 8 ? bytes.bigEndian(at: cursor, count: 4) : 0, high == 0,
        let low = bytes.bigEndian(at: cursor + (size == 8 ? 4 : 0), count: min(size, 4)),
        cursor + size <= box.content.upperBound
      else { throw .damaged("the item locations are truncated") }
      defer { cursor += size }
      return Field(position: cursor, size: size, value: low)
    }
    let version = try field(4).value >> 24
    let sizes = try field(2).value
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version > 0 ? sizes & 15 : 0
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains) else {
      throw .damaged("the item locations have an invalid field size")
    }
    for _ in 0..<(try field(version < 2 ? 2 : 4).value) {
      let item = try field(version < 2 ? 2 : 4).value
      let method = version > 0 ? try field(2).value & 15 : 0
      _ = try field(2)
      let base = try field(baseSize)
      for index in 0..<(try field(2).value) {
        _ = try field(indexSize)
        let offset = try field(offsetSize)
        let length = try field(lengthSize).value
        let adjusted = baseSize > 0 && (offsetSize == 0 || base.value > 0) ? base : offset
        let isFirst = adjusted.position != base.position || index == 0
        try body(
          item, method, base.value + offset.value, length,
          isFirst ? adjusted : Field(position: 0, size: 0, value: 0))
      }
    }
  }
}
