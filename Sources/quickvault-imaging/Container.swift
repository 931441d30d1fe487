import CImaging

/// The file around a picture: what it says beside the pixels.
enum Container {
  case jpeg([UInt8], JPEGFile)
  case png([UInt8], PNGFile)
  case heic([UInt8], HEICFile)
  case pdf

  /// Reads what lies around the picture.
  ///
  /// - Throws: ``ImagingError/truncated(_:)`` and ``ImagingError/damaged(_:)``.
  init(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) {
    switch type {
    case .jpeg: self = .jpeg(bytes, try JPEGFile(bytes))
    case .png: self = .png(bytes, try PNGFile(bytes))
    case .heic: self = .heic(bytes, try HEICFile(bytes))
    case .pdf:
      try PDFFile.check(bytes)
      self = .pdf
    }
  }

  /// How the stored pixels are to be turned, as Exif numbers it.
  var orientation: Int {
    switch self {
    case .jpeg(_, let file): file.exif?.orientation ?? 1
    case .png(_, let file): file.exif?.orientation ?? 1
    case .heic(_, let file): file.orientation
    case .pdf: 1
    }
  }

  /// The file without metadata but an Exif block.
  func replacingMetadata(by exif: ExifBlock?) throws(ImagingError) -> [UInt8] {
    switch self {
    case .jpeg(_, let file): return file.replacingMetadata(by: exif)
    case .png(_, let file): return file.replacingMetadata(by: exif)
    case .heic(_, let file): return try file.withoutMetadata()
    case .pdf: throw .stripUnsupported
    }
  }

  /// The file with a text over its picture. Of its metadata it keeps the colour profile and Exif.
  func marked(_ text: Outlines, _ style: ImagingStyle, stripMetadata: Bool) throws(ImagingError) -> [UInt8] {
    let turn = Int32(orientation)
    switch self {
    case .jpeg(let bytes, let file):
      let coded = try unsafe Library.make(from: bytes) { start, count, result in
        unsafe imaging_jpeg_mark(start, count, turn, text.text, style, &result)
      }
      return file.transplantingMetadata(to: coded.bytes, exif: kept(file.exif, stripMetadata))
    case .png(let bytes, let file):
      let coded = try unsafe Library.make(from: bytes) { start, count, result in
        unsafe imaging_png_mark(start, count, turn, text.text, style, &result)
      }
      return try file.transplantingMetadata(to: coded.bytes, exif: kept(file.exif, stripMetadata))
    case .heic(let bytes, let file):
      let exif = stripMetadata ? [] : file.exif?.encoded ?? []
      let coded = try unsafe Library.make(from: bytes) { start, count, result in
        unsafe exif.withUnsafeBufferPointer { block in
          unsafe imaging_heif_mark(
            start, count, file.isTurnedWhole ? 0 : 1, Int32(file.chroma), turn, text.text, style,
            exif.isEmpty ? nil : block.baseAddress,
            block.count, &result)
        }
      }
      guard file.isTurnedWhole, file.orientation != 1 else { return coded.bytes }
      return try HEICFile(coded.bytes).turned(file.transformations)
    case .pdf: throw .watermarkUnsupported
    }
  }

  /// All of Exif, or nothing but the orientation.
  private func kept(_ exif: ExifBlock?, _ stripMetadata: Bool) -> ExifBlock? {
    guard stripMetadata else { return exif }
    return orientation == 1 ? nil : ExifBlock(orientation: orientation)
  }
}
