import JSON

/// Why a picture was not read or not made. The attachment is unchanged.
enum ImagingError: Error, Hashable, Sendable {
  /// The imaging worker is not installed.
  case missingWorker(program: String)
  /// The program ended without an answer.
  case crashed
  /// It took longer than ``timeLimit``.
  case timedOut
  /// The bytes are neither a picture nor a PDF.
  case notAnImage
  /// The type of the picture is not supported, such as GIF.
  case unsupportedType(detected: String)
  /// The picture is truncated.
  case truncated
  /// The picture is malformed, or has more than one format at once.
  case damaged
  /// It has more pixels than `maximum`.
  case tooManyPixels(maximum: Int)
  /// The PDF needs a password.
  case encryptedDocument
  /// No installed font has these characters; the package has one.
  case missingFont(characters: String, package: String)
  /// A PDF cannot get a watermark.
  case watermarkUnsupported
  /// The metadata of a PDF cannot be removed.
  case stripUnsupported
  /// There is not enough memory.
  case outOfMemory
  /// The worker could not set up its sandbox, so it read nothing.
  case sandboxUnavailable
  /// The result is not as expected.
  case failed

  static let timeLimit = Duration.seconds(30)
  /// The most pixels that the worker reads.
  private static let pixelLimit = 50_000_000

  /// An error of the worker's answer.
  init(_ error: JSON) {
    self =
      switch error["kind"]?.string {
      case "notAnImage": .notAnImage
      case "unsupportedType": .unsupportedType(detected: error["detected"]?.string ?? "")
      case "truncated": .truncated
      case "damaged": .damaged
      case "tooManyPixels": .tooManyPixels(maximum: Self.pixelLimit)
      case "encryptedDocument": .encryptedDocument
      case "missingFont":
        .missingFont(
          characters: error["characters"]?.string ?? "",
          package: error["package"]?.string ?? "fonts-noto-core")
      case "watermarkUnsupported": .watermarkUnsupported
      case "stripUnsupported": .stripUnsupported
      case "outOfMemory": .outOfMemory
      case "sandboxUnavailable": .sandboxUnavailable
      default: .failed
      }
  }
}
