/// The boxes of a HEIC (ISO/IEC 14496-12 and 23008-12): what they say of the primary picture, and where metadata lies.
struct HEICFile {
  /// A box.
  struct Box {
    let type: String
    /// Where its size stands.
    let start: Int
    /// What it holds, after size and type.
    let content: Range<Int>
  }

  /// What is to be done with the stored pixels before they are shown.
  enum Transformation {
    /// Quarter turns, counter-clockwise.
    case turn(Int)
    /// Left and right change places.
    case mirrorAcross
    /// Top and bottom change places.
    case mirrorDown
    /// A part of the picture is shown.
    case crop
  }

  let bytes: [UInt8]
  /// What is done to the primary picture, in this order.
  private(set) var transformations: [Transformation] = []
  /// Whether another picture is bound to the primary one, as its transparency is.
  private(set) var hasAuxiliary = false
  private(set) var primaryItem = 0
  /// The box `meta`.
  let description: Box
  private var metaChildren: [Box]

  /// Reads the boxes.
  ///
  /// - Throws: ``ImagingError/truncated(_:)`` where the last box is longer than the file,
  ///   ``ImagingError/damaged(_:)`` where there is no description of a primary picture.
  init(_ bytes: [UInt8]) throws(ImagingError) {
    self.bytes = bytes
    let boxes = try Self.boxes(in: 0..<bytes.count, of: bytes)
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw .damaged("no description of pictures")
    }
    description = meta
    metaChildren = try Self.boxes(in: meta.content.dropFirst(4), of: bytes)
    guard let item = metaChildren.first(where: { $0.type == "pitm" })?.content.lowerBound,
      let version = bytes.bigEndian(at: item, count: 1),
      let number = bytes.bigEndian(at: item + 4, count: version == 0 ? 2 : 4)
    else { throw .damaged("no primary picture") }
    primaryItem = number
    transformations = try readTransformations()
    hasAuxiliary = try readReferences().contains { $0.type == "auxl" && $0.targets.contains(number) }
  }

  /// The boxes that fill a range.
  static func boxes(in range: Range<Int>, of bytes: [UInt8]) throws(ImagingError) -> [Box] {
    var boxes: [Box] = []
    var position = range.lowerBound
    while position < range.upperBound {
      guard let short = bytes.bigEndian(at: position, count: 4), position + 8 <= range.upperBound else {
        throw .truncated("a box breaks off")
      }
      let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      var header = 8
      var size = short
      if short == 1 {
        guard let high = bytes.bigEndian(at: position + 8, count: 4), high < 1 << 16,
          let low = bytes.bigEndian(at: position + 12, count: 4)
        else { throw .truncated("a box breaks off") }
        (header, size) = (16, high << 32 | low)
      } else if short == 0 {
        size = range.upperBound - position
      }
      guard size >= header else { throw .damaged("a box is shorter than its own head") }
      guard size <= range.upperBound - position else { throw .truncated("a box breaks off") }
      boxes.append(Box(type: type, start: position, content: (position + header)..<(position + size)))
      position += size
    }
    return boxes
  }

  /// A box of the description by its type.
  func child(_ type: String) -> Box? {
    metaChildren.first { $0.type == type }
  }

  /// How colours are sampled, as HEVC numbers it: 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  var chroma: Int {
    let configurations = (try? properties())?.boxes.filter { $0.type == "hvcC" } ?? []
    let formats = configurations.compactMap { bytes.bigEndian(at: $0.content.lowerBound + 16, count: 1) }
    return max(1, formats.map { $0 & 3 }.max() ?? 1)
  }

  // MARK: Orientation

  /// Whether the stored pixels can be kept: nothing but turns and mirrors, and no other picture that would have to
  /// be turned with them.
  var isTurnedWhole: Bool {
    !hasAuxiliary && !transformations.contains { if case .crop = $0 { true } else { false } }
  }

  /// The turns and mirrors together, as Exif numbers them.
  var orientation: Int {
    /* A corner and its neighbours are enough: where (x, y) of the stored picture, around its middle, is seen. */
    var (a, b, c, d) = (1, 0, 0, 1)
    for transformation in transformations {
      switch transformation {
      case .turn(let quarters): for _ in 0..<quarters { (a, b, c, d) = (c, d, -a, -b) }
      case .mirrorAcross: (a, b) = (-a, -b)
      case .mirrorDown: (c, d) = (-c, -d)
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
      case "irot": return .turn(value & 3)
      case "imir": return value & 1 == 1 ? .mirrorAcross : .mirrorDown
      case "clap": return .crop
      default: return nil
      }
    }
  }

  /// The properties, and which item has which, counted from 1.
  struct Properties {
    let container: Box
    let store: Box
    let boxes: [Box]
    let map: Box
    var associations: [(item: Int, countPosition: Int, indices: [Int], end: Int)] = []
    let isWide: Bool
  }

  /// Reads the boxes `iprp`, `ipco` and `ipma`.
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
      throw .damaged("properties break off")
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
      else { throw .damaged("properties break off") }
      let countPosition = position + itemSize
      let end = countPosition + 1 + entries * indexSize
      guard end <= map.content.upperBound else { throw .damaged("properties break off") }
      let indices = stride(from: countPosition + 1, to: end, by: indexSize).map { place in
        (bytes.bigEndian(at: place, count: indexSize) ?? 0) & (properties.isWide ? 0x7FFF : 0x7F)
      }
      properties.associations.append((item, countPosition, indices, end))
      position = end
    }
    return properties
  }
}
