package import Wire

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
