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
