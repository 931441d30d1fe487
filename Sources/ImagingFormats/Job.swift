import Wire

/// The request of `quickvault-imaging`: a line of JSON, followed by ``byteCount`` bytes (protocol/IMAGING.md).
package struct Job {
  package enum Task: String, CaseIterable, ParameterValue {
    case check, thumbnail, watermark, strip
  }

  /// A thumbnail's format.
  package enum Output: String, CaseIterable, ParameterValue {
    case jpeg, png
  }

  /// The maximum size of a picture, in bytes. The vault accepts 10 MiB; a watermarked PNG may be larger than its source.
  package static let byteLimit = 64 << 20

  package let task: Task
  package let byteCount: Int
  /// Never nil for ``Task/watermark``.
  package let watermark: Watermark?
  /// A thumbnail's longest side in pixels.
  package let size: Int
  package let output: Output
  /// Whether a watermarked picture loses its metadata.
  package let stripMetadata: Bool

  /// - Throws: ``ImagingError/invalidJob(_:)``, and ``ImagingError/textTooLong(maximum:)`` for a watermark's text.
  package init(line: [UInt8]) throws(ImagingError) {
    do {
      self = try Job(JSONReader.read(line))
    } catch let error as ImagingError {
      throw error
    } catch let error as ParameterError {
      throw .invalidJob("\(error.parameter) is invalid or missing")
    } catch {
      throw .invalidJob("the line is not a JSON object")
    }
  }

  private init(_ value: JSON) throws {
    var parameters = try Parameters(value)
    let task: Task = try parameters.required("job")
    self.task = task
    byteCount = try parameters.integer("bytes", in: 0...(1 << 40)) ?? -1
    guard byteCount >= 0 else { throw ParameterError("bytes", .presence) }
    let watermark: JSON? =
      task == .thumbnail || task == .watermark ? try parameters.optional("watermark") : nil
    guard task != .watermark || watermark != nil else { throw ParameterError("watermark", .presence) }
    self.watermark = try watermark.map { try Watermark($0) }
    size = task == .thumbnail ? try parameters.integer("size", in: 16...4096) ?? 256 : 0
    output = task == .thumbnail ? try parameters.optional("output") ?? .jpeg : .jpeg
    stripMetadata = task == .watermark ? try parameters.optional("stripMetadata") ?? false : false
    try parameters.finish()
  }
}
