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
