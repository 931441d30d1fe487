/// A file parsed for what surrounds its pixels.
package enum Container {
  case jpeg([UInt8], JPEGFile)
  case png([UInt8], PNGFile)
  case heic([UInt8], HEICFile)
  case pdf

  /// - Throws: ``ImagingError/truncated(_:)`` and ``ImagingError/damaged(_:)``.
  package init(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) {
    switch type {
    case .jpeg: self = .jpeg(bytes, try JPEGFile(bytes))
    case .png: self = .png(bytes, try PNGFile(bytes))
    case .heic: self = .heic(bytes, try HEICFile(bytes))
    case .pdf:
      try PDFFile.check(bytes)
      self = .pdf
    }
  }

  /// The Exif orientation of the stored pixels, 1...8.
  package var orientation: Int {
    switch self {
    case .jpeg(_, let file): file.exif?.orientation ?? 1
    case .png(_, let file): file.exif?.orientation ?? 1
    case .heic(_, let file): file.orientation
    case .pdf: 1
    }
  }

  /// Returns the file with its colour and density data, and `exif` as its only other metadata. A HEIC file's orientation
  /// is not metadata and needs no `exif`.
  package func replacingMetadata(by exif: ExifBlock?) throws(ImagingError) -> [UInt8] {
    switch self {
    case .jpeg(_, let file): return file.replacingMetadata(by: exif)
    case .png(_, let file): return file.replacingMetadata(by: exif)
    case .heic(_, let file): return try file.withoutMetadata()
    case .pdf: throw .stripUnsupported
    }
  }
}
