package import Wire

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

/// A text to draw over a picture, and its style (R6).
package struct Watermark {
  /// The maximum number of characters (Unicode scalars).
  static let characterLimit = 200
  static let lineLimit = 8

  package let text: String
  /// The ink's opacity, above 0 and at most 1.
  package let opacity: Double
  /// The angle in degrees, counter-clockwise, as the picture is displayed.
  package let angle: Double
  /// The em, as a fraction of the picture's shorter side.
  package let size: Double
  /// The space between two texts, in ems.
  package let spacing: Double

  /// - Throws: `ParameterError`, ``ImagingError/invalidJob(_:)`` and ``ImagingError/textTooLong(maximum:)``.
  init(_ value: JSON) throws {
    var parameters = try Parameters(value, at: "watermark")
    text = try Self.checked(parameters.required("text"))
    opacity = try parameters.number("opacity", in: 0.05...1) ?? 0.35
    angle = try parameters.number("angle", in: -180...180) ?? 30
    size = try parameters.number("size", in: 0.01...0.5) ?? 0.04
    spacing = try parameters.number("spacing", in: 0.5...20) ?? 2.5
    try parameters.finish()
  }

  private static func checked(_ text: String) throws(ImagingError) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { !$0.properties.isWhitespace }) else { throw .invalidJob("text is empty") }
    guard scalars.count <= characterLimit, scalars.count(where: { $0 == "\n" }) < lineLimit else {
      throw .textTooLong(maximum: characterLimit)
    }
    guard !scalars.contains(where: { $0 != "\n" && $0.properties.generalCategory == .control }) else {
      throw .invalidJob("text has control characters")
    }
    return text
  }
}

extension Parameters {
  /// Takes a number within a range; it may be missing or null.
  fileprivate mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let value: JSON = try optional(name) else { return nil }
    guard case .number(let number) = value, let value = Double(number.text), range.contains(value) else {
      throw ImagingError.invalidJob("\(place(of: name)) must be a number in \(range)")
    }
    return value
  }
}

/// Why a job failed. No error reveals anything about the picture's content.
package enum ImagingError: Error {
  /// The job does not follow `protocol/IMAGING.md`.
  case invalidJob(String)
  /// More than ``Job/byteLimit`` bytes.
  case tooLarge
  /// No known file type.
  case notAnImage
  /// A known type that the vault does not accept.
  case unsupportedType(detected: String)
  /// The file is cut off.
  case truncated(String)
  /// The file is malformed, or valid in two formats at once.
  case damaged(String)
  /// More pixels than 50 megapixels.
  case tooManyPixels(String)
  /// The document needs a password.
  case encryptedDocument
  /// No installed font has these characters; `package` provides one.
  case missingFont(characters: String, package: String)
  /// The watermark's text has too many characters or lines.
  case textTooLong(maximum: Int)
  /// No font draws anything for the watermark's text.
  case textInvisible
  case watermarkUnsupported
  case stripUnsupported
  case outOfMemory(String)
  /// The process could not be confined, so it read no picture.
  case sandboxUnavailable
  /// An invalid result, or a failure that no input should cause.
  case `internal`(String)

  private var descriptor: (kind: String, message: String) {
    switch self {
    case .invalidJob(let reason): ("invalidJob", reason)
    case .tooLarge: ("tooLarge", "more than \(Job.byteLimit) bytes")
    case .notAnImage: ("notAnImage", "neither JPEG, PNG, HEIC nor PDF")
    case .unsupportedType(let detected):
      ("unsupportedType", "this is \(detected); JPEG, PNG, HEIC and PDF are supported")
    case .truncated(let reason): ("truncated", reason)
    case .damaged(let reason): ("damaged", reason)
    case .tooManyPixels(let reason): ("tooManyPixels", reason)
    case .encryptedDocument: ("encryptedDocument", "the document needs a password")
    case .missingFont(_, let package): ("missingFont", "no font has every character; install \(package)")
    case .textTooLong(let maximum):
      ("textTooLong", "a watermark has at most \(maximum) characters and \(Watermark.lineLimit) lines")
    case .textInvisible: ("textInvisible", "no character of the watermark has an outline")
    case .watermarkUnsupported:
      ("watermarkUnsupported", "a PDF cannot be watermarked: export it as an image")
    case .stripUnsupported: ("stripUnsupported", "the metadata of a PDF cannot be removed")
    case .outOfMemory(let reason): ("outOfMemory", reason)
    case .sandboxUnavailable: ("sandboxUnavailable", "the process cannot be confined on this system")
    case .internal(let reason): ("internal", reason)
    }
  }

  /// The error's name in protocol/IMAGING.md.
  package var kind: String { descriptor.kind }

  /// A message for developers; the caller words the one that users read.
  package var message: String { descriptor.message }

  /// Further members of the error.
  package var details: [JSON.Member] {
    switch self {
    case .unsupportedType(let detected): [JSON.Member("detected", .string(detected))]
    case .missingFont(let characters, let package):
      [JSON.Member("characters", .string(characters)), JSON.Member("package", .string(package))]
    case .textTooLong(let maximum): [JSON.Member("maximum", .integer(maximum))]
    default: []
    }
  }
}
