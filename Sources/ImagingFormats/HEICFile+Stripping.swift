/// Writes a HEIC file with its picture alone.
extension HEICFile {
  /// The properties that describe pixels and how to show them; any other, such as a description, is left out.
  private static let pixelProperties: Set<String> = [
    "hvcC", "ispe", "colr", "pixi", "irot", "imir", "clap", "pasp", "auxC", "clli", "mdcv", "cclv", "amve",
  ]

  /// Returns the file with the items of the primary picture and nothing else: its tiles and its transparency, but no
  /// Exif, previews, depth maps or other pictures, and no boxes beside them such as videos.
  ///
  /// The orientation is an item property, so it stays.
  ///
  /// - Throws: ``ImagingError/damaged(_:)``, ``ImagingError/truncated(_:)``.
  func withoutMetadata() throws(ImagingError) -> [UInt8] {
    let items = try pictureItems()
    let places = try locations()
    var data: [UInt8] = []
    var extents: [(item: Int, offset: Int, count: Int)] = []
    for item in items {
      let start = data.count
      for place in places[item] ?? [] { data += bytes[place] }
      extents.append((item, start, data.count - start))
    }
    let head = Self.box("ftyp", Array(bytes[try fileType().content]))
    let parts =
      handler
      + [
        try primaryItemBox(), try itemInformation(items), try references(among: items),
        try propertyBoxes(of: items),
      ]
      .flatMap { $0 }
    let meta = { (base: Int) in
      Self.box(
        "meta",
        [0, 0, 0, 0] + parts + Self.locationBox(extents.map { ($0.item, $0.offset + base, $0.count) }))
    }
    let base = head.count + meta(0).count + 8
    return head + meta(base) + Self.box("mdat", data)
  }

  /// The primary item, what it is put together from, and its transparency.
  private func pictureItems() throws(ImagingError) -> [Int] {
    let references = try readReferences()
    let alpha = try alphaItems()
    var items = [primaryItem]
    var next = 0
    while next < items.count {
      for reference in references {
        if reference.type == "dimg", reference.item == items[next] {
          items += reference.targets.filter { !items.contains($0) }
        } else if reference.type == "auxl", reference.targets.contains(items[next]),
          alpha.contains(reference.item),
          !items.contains(reference.item)
        {
          items.append(reference.item)
        }
      }
      next += 1
    }
    return items
  }

  /// The items that are transparency (ISO/IEC 23008-12, 6.9.2).
  private func alphaItems() throws(ImagingError) -> Set<Int> {
    guard let properties = try properties() else { return [] }
    return Set(
      properties.associations.filter { association in
        association.indices.contains { index in
          guard properties.boxes.indices.contains(index - 1), properties.boxes[index - 1].type == "auxC"
          else { return false }
          let name = String(
            decoding: bytes[properties.boxes[index - 1].content.dropFirst(4)].prefix { $0 != 0 },
            as: UTF8.self)
          return name.hasSuffix(":alpha") || name.hasSuffix("auxid:1")
        }
      }.map(\.item))
  }

  // MARK: Boxes

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var box: [UInt8] = []
    box.append(bigEndian: content.count + 8, count: 4)
    return box + Array(type.utf8) + content
  }

  private func fileType() throws(ImagingError) -> Box {
    guard let box = try Self.boxes(in: 0..<bytes.count, of: bytes).first(where: { $0.type == "ftyp" }) else {
      throw .damaged("no file type")
    }
    return box
  }

  private var handler: [UInt8] {
    Self.box("hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
  }

  private func primaryItemBox() throws(ImagingError) -> [UInt8] {
    Self.box(
      "pitm",
      primaryItem < 0x10000
        ? [0, 0, 0, 0] + Self.number(primaryItem, 2) : [1, 0, 0, 0] + Self.number(primaryItem, 4))
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: value, count: count)
    return bytes
  }

  /// The `iinf` box, without the names of items.
  private func itemInformation(_ items: [Int]) throws(ImagingError) -> [UInt8] {
    let types = try itemTypes()
    var entries: [UInt8] = []
    for item in items {
      guard let type = types[item] else { throw .damaged("an item has no type") }
      let isHidden: UInt8 = item == primaryItem ? 0 : 1
      let head =
        item < 0x10000
        ? [2, 0, 0, isHidden] + Self.number(item, 2) : [3, 0, 0, isHidden] + Self.number(item, 4)
      entries += Self.box("infe", head + [0, 0] + Array(type.utf8) + [0])
    }
    return Self.box("iinf", [1, 0, 0, 0] + Self.number(items.count, 4) + entries)
  }

  private func references(among items: [Int]) throws(ImagingError) -> [UInt8] {
    var boxes: [UInt8] = []
    for reference in try readReferences()
    where ["dimg", "auxl"].contains(reference.type) && items.contains(reference.item) {
      let targets = reference.targets.filter(items.contains)
      guard !targets.isEmpty else { continue }
      boxes += Self.box(
        reference.type,
        Self.number(reference.item, 4) + Self.number(targets.count, 2)
          + targets.flatMap { Self.number($0, 4) })
    }
    return boxes.isEmpty ? [] : Self.box("iref", [1, 0, 0, 0] + boxes)
  }

  /// The `iprp` box with the properties that the items have; those that are left out become empty, so that the numbers of
  /// the others stay.
  private func propertyBoxes(of items: [Int]) throws(ImagingError) -> [UInt8] {
    guard let properties = try properties() else { return [] }
    let used = Set(properties.associations.filter { items.contains($0.item) }.flatMap(\.indices))
    let isKept = { (index: Int) in
      used.contains(index) && properties.boxes.indices.contains(index - 1)
        && Self.pixelProperties.contains(properties.boxes[index - 1].type)
    }
    let store = properties.boxes.enumerated().flatMap { index, box in
      isKept(index + 1) ? Self.box(box.type, Array(bytes[box.content])) : Self.box("free", [])
    }
    let size = properties.isWide ? 2 : 1
    var map: [UInt8] = [1, 0, 0, properties.isWide ? 1 : 0]
    let associations = properties.associations.filter { items.contains($0.item) }
    map += Self.number(associations.count, 4)
    for association in associations {
      let entries = zip(
        association.indices, stride(from: association.countPosition + 1, to: association.end, by: size)
      ).filter { isKept($0.0) }
      map += Self.number(association.item, 4) + Self.number(entries.count, 1)
      for (_, position) in entries { map += bytes[position..<(position + size)] }
    }
    return Self.box("iprp", Self.box("ipco", Array(store)) + Self.box("ipma", map))
  }

  private static func locationBox(_ extents: [(item: Int, offset: Int, count: Int)]) -> [UInt8] {
    var content: [UInt8] = [2, 0, 0, 0, 0x44, 0] + number(extents.count, 4)
    for extent in extents {
      content +=
        number(extent.item, 4) + [0, 0, 0, 0, 0, 1] + number(extent.offset, 4) + number(extent.count, 4)
    }
    return box("iloc", content)
  }
}

extension HEICFile {
  /// Returns the file with transformation properties added to its primary item.
  ///
  /// - Throws: ``ImagingError/internal(_:)`` if the boxes are not laid out as libheif writes them.
  package func adding(_ transformations: [Transformation]) throws(ImagingError) -> [UInt8] {
    guard let properties = try properties(), !properties.isWide,
      let association = properties.associations.first(where: { $0.item == primaryItem }),
      properties.boxes.count + transformations.count < 0x80,
      properties.store.start < properties.map.start
    else { throw .internal("unexpected HEIC layout") }

    var added: [UInt8] = []
    var indices: [UInt8] = []
    for (offset, transformation) in transformations.enumerated() {
      added += box(for: transformation)
      indices.append(0x80 | UInt8(properties.boxes.count + 1 + offset))
    }
    let growth = added.count + indices.count
    var result = bytes
    try eachExtent { _, method, _, _, field throws(ImagingError) in
      guard method == 0, field.size > 0 else { return }
      result.replace(bigEndian: field.value + growth, at: field.position, count: field.size)
    }
    result[association.countPosition] += UInt8(indices.count)
    grow(properties.map, by: indices.count, in: &result)
    grow(properties.store, by: added.count, in: &result)
    grow(properties.container, by: growth, in: &result)
    grow(metaBox, by: growth, in: &result)
    result.insert(contentsOf: indices, at: association.end)
    result.insert(contentsOf: added, at: properties.store.content.upperBound)
    return result
  }

  private func grow(_ box: Box, by count: Int, in bytes: inout [UInt8]) {
    bytes.replace(bigEndian: box.content.upperBound - box.start + count, at: box.start, count: 4)
  }

  private func box(for transformation: Transformation) -> [UInt8] {
    switch transformation {
    case .rotate(let quarterTurns): [0, 0, 0, 9] + Array("irot".utf8) + [UInt8(quarterTurns & 3)]
    case .flipHorizontally: [0, 0, 0, 9] + Array("imir".utf8) + [1]
    case .flipVertically: [0, 0, 0, 9] + Array("imir".utf8) + [0]
    case .crop: []
    }
  }
}
