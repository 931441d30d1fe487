import JSON

/// Why a picture was not read, or not made. The attachment is as it was.
enum ImagingError: Error, Hashable, Sendable {
  /// The program is not installed, so that nothing can be looked at; `package` says how to get it.
  case missingWorker(program: String)
  /// The program ended without an answer.
  case crashed
  /// It took longer than it may.
  case timedOut
  /// The bytes are no picture and no PDF.
  case notAnImage
  /// They are a picture of a type that is not taken, such as GIF.
  case unsupportedType(detected: String)
  /// The picture ends before its end.
  case truncated
  /// The picture breaks the rules of its format, or is two things at once.
  case damaged
  /// It has more pixels than this.
  case tooManyPixels(maximum: Int)
  /// The PDF asks for a password.
  case encryptedDocument
  /// No font that is installed draws these characters; the package has one.
  case missingFont(characters: String, package: String)
  /// A PDF cannot be marked.
  case watermarkUnsupported
  /// The metadata of a PDF cannot be removed.
  case stripUnsupported
  /// There was not enough memory for it.
  case outOfMemory
  /// The program could not be confined, so it read nothing.
  case sandboxUnavailable
  /// The result is not what it should be.
  case failed

  /// How long the worker may take: 30 seconds.
  static let timeLimit = Duration.seconds(30)
  /// How many pixels it reads, which it says itself where it refuses.
  private static let pixelLimit = 50_000_000

  /// An error as the worker tells it.
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
