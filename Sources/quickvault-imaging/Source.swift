import JSON
import CImaging

/// A picture's bytes, and the jobs on them. Only a confined process has any.
struct Source {
  let bytes: [UInt8]
  let type: ContentType

  /// Does the job.
  ///
  /// - Throws: every ``ImagingError`` that the bytes can bring about.
  func perform(_ job: Job, text: Outlines?) throws(ImagingError) -> Answer {
    let header = try Library.header(bytes, type)
    switch (job.task, job.watermark, text) {
    case (.check, _, _): return try check(header)
    case (.strip, _, _): return try strip(header)
    case (.thumbnail, let watermark, let text): return try thumbnail(job, watermark, text)
    case (.watermark, .some(let watermark), .some(let text)):
      return try mark(header, watermark, text, stripMetadata: job.stripMetadata)
    case (.watermark, _, _): throw .internal("a mark without a text")
    }
  }

  // MARK: The jobs

  private func check(_ header: ImagingHeader) throws(ImagingError) -> Answer {
    try Polyglot.refuse(bytes, type)
    let container = try Container(bytes, type)
    _ = try Library.decode(bytes, type)
    return Answer(
      described(type.mediaType, Int(header.width), Int(header.height)) + [
        JSON.Member("orientation", .integer(container.orientation)),
        JSON.Member("pages", .integer(Int(header.pages))),
      ])
  }

  private func strip(_ header: ImagingHeader) throws(ImagingError) -> Answer {
    let container = try Container(bytes, type)
    let exif = container.orientation == 1 ? nil : ExifBlock(orientation: container.orientation)
    _ = try Library.decode(bytes, type)
    let result = try container.replacingMetadata(by: exif)
    try verify(result, type, Int(header.width), Int(header.height), isMarked: false)
    return Answer(described(type.mediaType, Int(header.width), Int(header.height)), bytes: result)
  }

  private func mark(
    _ header: ImagingHeader, _ watermark: Watermark, _ text: Outlines, stripMetadata: Bool
  ) throws(ImagingError) -> Answer {
    let container = try Container(bytes, type)
    let result = try container.marked(text, watermark.style, stripMetadata: stripMetadata)
    try verify(result, type, Int(header.width), Int(header.height), isMarked: true)
    return Answer(described(type.mediaType, Int(header.width), Int(header.height)), bytes: result)
  }

  private func thumbnail(_ job: Job, _ watermark: Watermark?, _ text: Outlines?) throws(ImagingError)
    -> Answer
  {
    /* Decoders draw what there is of a picture that was cut off. */
    _ = try Container(bytes, type)
    let result = try draw(job.size, job.output, watermark, text)
    let type: ContentType = job.output == .png ? .png : .jpeg
    guard max(result.width, result.height) <= job.size else {
      throw .internal("a thumbnail of the wrong size")
    }
    if try verify(result.bytes, type, result.width, result.height, isMarked: text != nil) {
      try expectBlank()
    }
    return Answer(described(type.mediaType, result.width, result.height), bytes: result.bytes)
  }

  private func draw(
    _ size: Int, _ output: Job.Output, _ watermark: Watermark?, _ text: Outlines?
  ) throws(ImagingError) -> Library.Picture {
    let format = output == .png ? IMAGING_AS_PNG : IMAGING_AS_JPEG
    return try unsafe Library.make(from: bytes) { start, count, file in
      unsafe imaging_thumbnail(
        type.format, start, count, Int32(size), format, text?.text, watermark?.style ?? ImagingStyle(), &file)
    }
  }

  // MARK: Checking results

  private func described(_ mediaType: String, _ width: Int, _ height: Int) -> [JSON.Member] {
    [
      JSON.Member("mediaType", .string(mediaType)), JSON.Member("width", .integer(width)),
      JSON.Member("height", .integer(height)),
    ]
  }

  /// Opens a result again, as a stranger would, and decodes it.
  ///
  /// - Returns: whether all its pixels are alike.
  @discardableResult
  private func verify(
    _ result: [UInt8], _ type: ContentType, _ width: Int, _ height: Int, isMarked: Bool
  ) throws(ImagingError) -> Bool {
    do throws(ImagingError) {
      if type.format != self.type.format { imaging_allow(type.format) }
      let header = try Library.header(result, type)
      guard header.width == width, header.height == height else {
        throw .internal("a result of another size")
      }
      let isUniform = try Library.decode(result, type)
      /* Of a picture of a few pixels the text may miss all. */
      guard !isMarked || !isUniform || width * height < 1000 else { throw .internal("a blank result") }
      return isUniform
    } catch {
      if case .outOfMemory = error { throw error }
      throw .internal("the result cannot be read: \(error.message)")
    }
  }

  /// A blank thumbnail is right only where a tiny one is blank too: with too little memory, libraries have drawn nothing
  /// and told nobody.
  private func expectBlank() throws(ImagingError) {
    let tiny = try draw(16, .png, nil, nil)
    guard try verify(tiny.bytes, .png, tiny.width, tiny.height, isMarked: false) else {
      throw .internal("a blank thumbnail")
    }
  }
}
