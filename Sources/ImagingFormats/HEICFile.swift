/// The boxes of a HEIC file (ISO/IEC 14496-12 and 23008-12) and the properties of its primary item.
package struct HEICFile {
  struct Box {
    let type: String
    /// The offset of its size field.
    let start: Int
    /// The range after size and type.
    let content: Range<Int>
  }

  /// A transformation of the stored pixels for display.
  package enum Transformation {
    /// A counter-clockwise rotation in quarter turns.
    case rotate(Int)
    case flipHorizontally
    case flipVertically
    case crop
  }

  let bytes: [UInt8]
  /// The primary item's transformations, in the order in which they apply.
  package private(set) var transformations: [Transformation] = []
  /// Whether the primary item has an auxiliary image, such as an alpha plane.
  private(set) var hasAuxiliary = false
  private(set) var primaryItem = 0
  let metaBox: Box
  private var metaChildren: [Box]

  /// - Throws: ``ImagingError/truncated(_:)`` if a box extends beyond the end of the file,
  ///   ``ImagingError/damaged(_:)`` if there is no `meta` box or no primary item.
  package init(_ bytes: [UInt8]) throws(ImagingError) {
    self.bytes = bytes
    let boxes = try Self.boxes(in: 0..<bytes.count, of: bytes)
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw .damaged("no meta box")
    }
    metaBox = meta
    metaChildren = try Self.boxes(in: meta.content.dropFirst(4), of: bytes)
    guard let item = metaChildren.first(where: { $0.type == "pitm" })?.content.lowerBound,
      let version = bytes.bigEndian(at: item, count: 1),
      let number = bytes.bigEndian(at: item + 4, count: version == 0 ? 2 : 4)
    else { throw .damaged("no primary item") }
    primaryItem = number
    transformations = try readTransformations()
    hasAuxiliary = try readReferences().contains { $0.type == "auxl" && $0.targets.contains(number) }
  }

  /// Reads consecutive boxes that fill a range.
  static func boxes(in range: Range<Int>, of bytes: [UInt8]) throws(ImagingError) -> [Box] {
    var boxes: [Box] = []
    var position = range.lowerBound
    while position < range.upperBound {
      guard let short = bytes.bigEndian(at: position, count: 4), position + 8 <= range.upperBound else {
        throw .truncated("a box is truncated")
      }
      let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      var header = 8
      var size = short
      if short == 1 {
        guard let high = bytes.bigEndian(at: position + 8, count: 4), high < 1 << 16,
          let low = bytes.bigEndian(at: position + 12, count: 4)
        else { throw .truncated("a box is truncated") }
        (header, size) = (16, high << 32 | low)
      } else if short == 0 {
        size = range.upperBound - position
      }
      guard size >= header else { throw .damaged("a box is shorter than its header") }
      guard size <= range.upperBound - position else { throw .truncated("a box is truncated") }
      boxes.append(Box(type: type, start: position, content: (position + header)..<(position + size)))
      position += size
    }
    return boxes
  }

  /// Returns the first child of the `meta` box with a type.
  func child(_ type: String) -> Box? {
    metaChildren.first { $0.type == type }
  }

  /// The chroma sampling (HEVC's chroma_format_idc): 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package var chroma: Int {
    let configurations = (try? properties())?.boxes.filter { $0.type == "hvcC" } ?? []
    let formats = configurations.compactMap { bytes.bigEndian(at: $0.content.lowerBound + 16, count: 1) }
    return max(1, formats.map { $0 & 3 }.max() ?? 1)
  }

  // MARK: Orientation

  /// Whether all transformations are rotations and flips, with no auxiliary image to transform along with the item.
  package var hasOrientationOnly: Bool {
    !hasAuxiliary && !transformations.contains { if case .crop = $0 { true } else { false } }
  }

  /// The rotations and flips combined, as an Exif orientation.
  package var orientation: Int {
    /* The matrix (a b; c d) maps stored coordinates, relative to the centre, to displayed ones. */
    var (a, b, c, d) = (1, 0, 0, 1)
    for transformation in transformations {
      switch transformation {
      case .rotate(let quarterTurns): for _ in 0..<quarterTurns { (a, b, c, d) = (c, d, -a, -b) }
      case .flipHorizontally: (a, b) = (-a, -b)
      case .flipVertically: (c, d) = (-c, -d)
      case .crop: break
      }
    }
    let table = [
      [1, 0, 0, 1], [-1, 0, 0, 1], [-1, 0, 0, -1], [1, 0, 0, -1], [0, 1, 1, 0], [0, -1, 1, 0],
      [0, -1, -1, 0],
      [0, 1, -1, 0],
    ]
    return (table.firstIndex(of: [a, b, c, d]) ?? 0) + 1
  }

  private func readTransformations() throws(ImagingError) -> [Transformation] {
    guard let properties = try properties() else { return [] }
    return properties.associations.filter { $0.item == primaryItem }.flatMap(\.indices).compactMap { index in
      guard properties.boxes.indices.contains(index - 1) else { return nil }
      let box = properties.boxes[index - 1]
      let value = bytes.bigEndian(at: box.content.lowerBound, count: 1) ?? 0
      switch box.type {
      case "irot": return .rotate(value & 3)
      case "imir": return value & 1 == 1 ? .flipHorizontally : .flipVertically
      case "clap": return .crop
      default: return nil
      }
    }
  }

  /// The item properties and their associations; property indices count from 1.
  struct Properties {
    let container: Box
    let store: Box
    let boxes: [Box]
    let map: Box
    var associations: [(item: Int, countPosition: Int, indices: [Int], end: Int)] = []
    let isWide: Bool
  }

  /// Reads the `iprp`, `ipco` and `ipma` boxes; nil if there are none.
  func properties() throws(ImagingError) -> Properties? {
    guard let container = child("iprp") else { return nil }
    let parts = try Self.boxes(in: container.content, of: bytes)
    guard let store = parts.first(where: { $0.type == "ipco" }),
      let map = parts.first(where: { $0.type == "ipma" })
    else { return nil }
    let start = map.content.lowerBound
    guard let flags = bytes.bigEndian(at: start, count: 4),
      let count = bytes.bigEndian(at: start + 4, count: 4)
    else {
      throw .damaged("the properties are truncated")
    }
    var properties = Properties(
      container: container, store: store, boxes: try Self.boxes(in: store.content, of: bytes), map: map,
      isWide: flags & 1 == 1)
    let itemSize = flags >> 24 == 0 ? 2 : 4
    let indexSize = properties.isWide ? 2 : 1
    var position = start + 8
    for _ in 0..<count {
      guard let item = bytes.bigEndian(at: position, count: itemSize),
        let entries = bytes.bigEndian(at: position + itemSize, count: 1)
      else { throw .damaged("the properties are truncated") }
      let countPosition = position + itemSize
      let end = countPosition + 1 + entries * indexSize
      guard end <= map.content.upperBound else { throw .damaged("the properties are truncated") }
      let indices = stride(from: countPosition + 1, to: end, by: indexSize).map { place in
        (bytes.bigEndian(at: place, count: indexSize) ?? 0) & (properties.isWide ? 0x7FFF : 0x7F)
      }
      properties.associations.append((item, countPosition, indices, end))
      position = end
    }
    return properties
  }
}

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
