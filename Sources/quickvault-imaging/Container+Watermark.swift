import CImaging
import ImagingFormats

extension ContentType {
  var format: ImagingFormat {
    switch self {
    case .jpeg: IMAGING_JPEG
    case .png: IMAGING_PNG
    case .heic: IMAGING_HEIF
    case .pdf: IMAGING_PDF
    }
  }
}

extension Container {
  /// Returns the file with a text drawn over its picture. Of its metadata, the colour profile and Exif are kept, or the
  /// colour profile and the orientation with `stripMetadata`.
  func watermarked(
    _ text: Outlines, _ style: ImagingStyle, stripMetadata: Bool
  ) throws(ImagingError) -> [UInt8] {
    let orientation = Int32(orientation)
    switch self {
    case .jpeg(let bytes, let file):
      let encoded = try unsafe Library.make(from: bytes) { start, count, result in
        unsafe imaging_jpeg_watermark(start, count, orientation, text.text, style, &result)
      }
      return file.transplantingMetadata(to: encoded.bytes, exif: kept(file.exif, stripMetadata))
    case .png(let bytes, let file):
      let encoded = try unsafe Library.make(from: bytes) { start, count, result in
        unsafe imaging_png_watermark(start, count, orientation, text.text, style, &result)
      }
      return try file.transplantingMetadata(to: encoded.bytes, exif: kept(file.exif, stripMetadata))
    case .heic(let bytes, let file):
      let exif = stripMetadata ? [] : file.exif?.encoded ?? []
      let encoded = try unsafe Library.make(from: bytes) { start, count, result in
        unsafe exif.withUnsafeBufferPointer { block in
          unsafe imaging_heif_watermark(
            start, count, file.hasOrientationOnly ? 0 : 1, Int32(file.chroma), orientation, text.text, style,
            exif.isEmpty ? nil : block.baseAddress, block.count, &result)
        }
      }
      guard file.hasOrientationOnly, file.orientation != 1 else { return encoded.bytes }
      return try HEICFile(encoded.bytes).adding(file.transformations)
    case .pdf: throw .watermarkUnsupported
    }
  }

  private func kept(_ exif: ExifBlock?, _ stripMetadata: Bool) -> ExifBlock? {
    guard stripMetadata else { return exif }
    return orientation == 1 ? nil : ExifBlock(orientation: orientation)
  }
}
