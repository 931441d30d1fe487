import CImaging
import ImagingFormats
import Wire

/// A source picture, read after the process is confined, and the jobs on it.
struct Picture {
  let bytes: [UInt8]
  let type: ContentType

  func perform(_ job: Job, text: Outlines?) throws(ImagingError) -> Response {
    let header = try Library.header(bytes, type)
    switch (job.task, job.watermark, text) {
    case (.check, _, _): return try check(header)
    case (.strip, _, _): return try strip(header)
    case (.thumbnail, let watermark, let text): return try thumbnail(job, watermark, text)
    case (.watermark, .some(let watermark), .some(let text)):
      return try addWatermark(header, watermark, text, stripMetadata: job.stripMetadata)
    case (.watermark, _, _): throw .internal("a watermark without a text")
    }
  }

  // MARK: Jobs

  private func check(_ header: ImagingHeader) throws(ImagingError) -> Response {
    try PolyglotFile.reject(bytes, type)
    let container = try Container(bytes, type)
    _ = try Library.decode(bytes, type)
    return Response(
      described(type.mediaType, Int(header.width), Int(header.height)) + [
        JSON.Member("orientation", .integer(container.orientation)),
        JSON.Member("pages", .integer(Int(header.pages))),
      ])
  }

  private func strip(_ header: ImagingHeader) throws(ImagingError) -> Response {
    let container = try Container(bytes, type)
    let exif = container.orientation == 1 ? nil : ExifBlock(orientation: container.orientation)
    _ = try Library.decode(bytes, type)
    let result = try container.replacingMetadata(by: exif)
    try verify(result, type, Int(header.width), Int(header.height), isWatermarked: false)
    return Response(described(type.mediaType, Int(header.width), Int(header.height)), bytes: result)
  }

  private func addWatermark(
    _ header: ImagingHeader, _ watermark: Watermark, _ text: Outlines, stripMetadata: Bool
  ) throws(ImagingError) -> Response {
    let container = try Container(bytes, type)
    let result = try container.watermarked(text, watermark.style, stripMetadata: stripMetadata)
    try verify(result, type, Int(header.width), Int(header.height), isWatermarked: true)
    return Response(described(type.mediaType, Int(header.width), Int(header.height)), bytes: result)
  }

  private func thumbnail(_ job: Job, _ watermark: Watermark?, _ text: Outlines?) throws(ImagingError)
    -> Response
  {
    /* Find truncation first: decoders draw as much as there is. */
    _ = try Container(bytes, type)
    let result = try draw(job.size, job.output, watermark, text)
    guard !imaging_lacks_fonts() else { throw .missingFont(characters: "", package: "poppler-data") }
    let type: ContentType = job.output == .png ? .png : .jpeg
    guard max(result.width, result.height) <= job.size else {
      throw .internal("a thumbnail of the wrong size")
    }
    if try verify(result.bytes, type, result.width, result.height, isWatermarked: text != nil) {
      try expectBlank()
    }
    return Response(described(type.mediaType, result.width, result.height), bytes: result.bytes)
  }

  private func draw(
    _ size: Int, _ output: Job.Output, _ watermark: Watermark?, _ text: Outlines?
  ) throws(ImagingError) -> Library.Encoded {
    let format = output == .png ? IMAGING_AS_PNG : IMAGING_AS_JPEG
    return try unsafe Library.make(from: bytes) { start, count, file in
      unsafe imaging_thumbnail(
        type.format, start, count, Int32(size), format, text?.text, watermark?.style ?? ImagingStyle(), &file)
    }
  }

  // MARK: Verifying results

  private func described(_ mediaType: String, _ width: Int, _ height: Int) -> [JSON.Member] {
    [
      JSON.Member("mediaType", .string(mediaType)), JSON.Member("width", .integer(width)),
      JSON.Member("height", .integer(height)),
    ]
  }

  /// Decodes a result to verify it.
  ///
  /// - Returns: whether all its pixels have the same value.
  @discardableResult
  private func verify(
    _ result: [UInt8], _ type: ContentType, _ width: Int, _ height: Int, isWatermarked: Bool
  ) throws(ImagingError) -> Bool {
    var hasOtherSize = false
    do throws(ImagingError) {
      if type.format != self.type.format { imaging_allow(type.format) }
      let header = try Library.header(result, type)
      hasOtherSize = header.width != width || header.height != height
      guard !hasOtherSize else { throw .internal("a result of the wrong size") }
      let isUniform = try Library.decode(result, type)
      /* The text may miss every pixel of a tiny picture. */
      guard !isWatermarked || !isUniform || width * height < 1000 else { throw .internal("a blank result") }
      return isUniform
    } catch {
      if case .outOfMemory = error { throw error }
      // Only HEIC gives a size besides that of the pixels.
      if hasOtherSize, type == .heic { throw .damaged("the file gives another size than its pixels have") }
      throw .internal("the result cannot be read: \(error.message)")
    }
  }

  /// Throws unless a tiny thumbnail is blank too: short of memory, libraries have drawn nothing and reported no error.
  private func expectBlank() throws(ImagingError) {
    let tiny = try draw(16, .png, nil, nil)
    guard try verify(tiny.bytes, .png, tiny.width, tiny.height, isWatermarked: false) else {
      throw .internal("a blank thumbnail")
    }
  }
}

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

extension Watermark {
  var style: ImagingStyle { ImagingStyle(opacity: opacity, angle: angle, size: size, spacing: spacing) }
}

/// A text converted to outlines; drawing it needs no fonts.
@safe final class Outlines {
  let text: OpaquePointer

  /// Shapes the text; needs the fonts, so call it before confining the process.
  ///
  /// - Throws: ``ImagingError/missingFont(characters:package:)``, ``ImagingError/textInvisible`` and
  ///   ``ImagingError/outOfMemory(_:)``.
  init(_ text: String) throws(ImagingError) {
    var missing: UnsafeMutablePointer<CChar>?
    guard let outlines = unsafe imaging_text_create(text, &missing) else {
      throw .outOfMemory("not enough memory for the text")
    }
    unsafe self.text = outlines
    if let missing = unsafe missing {
      let characters = unsafe String(cString: missing)
      unsafe imaging_free(missing)
      throw .missingFont(characters: characters, package: Self.package(for: characters))
    }
    guard unsafe imaging_text_is_visible(outlines) else { throw .textInvisible }
  }

  deinit {
    unsafe imaging_text_free(text)
  }

  /// Returns the Debian package of a font with the first of the characters.
  private static func package(for characters: String) -> String {
    guard let first = characters.unicodeScalars.first else { return "fonts-noto-core" }
    switch first.value {
    case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFFEF:
      return "fonts-wqy-microhei"
    case 0x20000...0x3FFFF: return "fonts-noto-cjk"
    case 0x2190...0x2BFF, 0x1F000...0x1FAFF: return "fonts-symbola"
    default: return "fonts-noto-core"
    }
  }
}
