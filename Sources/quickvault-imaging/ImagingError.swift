import JSON

/// Why a job was not done. Each kind is a stable name in the answer; none tells anything of the picture.
enum ImagingError: Error {
  /// The message is not one that `protocol/IMAGING.md` describes.
  case invalidJob(String)
  /// More bytes than the worker takes.
  case tooLarge
  /// Nothing that it knows: text, or bytes without meaning.
  case notAnImage
  /// A picture or document, but of a type that the vault does not take.
  case unsupportedType(detected: String)
  /// It ends before its end.
  case truncated(String)
  /// It breaks the rules of its format, or says that it is two things at once.
  case damaged(String)
  /// More pixels than 50 megapixels.
  case tooManyPixels(String)
  /// A document that asks for a password.
  case encryptedDocument
  /// No installed font draws these characters; the package that has one.
  case missingFont(characters: String, package: String)
  /// The watermark's text has more characters or lines than it may have.
  case textTooLong(maximum: Int)
  /// Documents are not marked: they are to be exported as an image.
  case watermarkUnsupported
  /// Documents are not stripped.
  case stripUnsupported
  /// The memory that a worker may use was too little.
  case outOfMemory(String)
  /// The process could not be confined, so it read nothing.
  case sandboxUnavailable
  /// A result that was not what it should be, or a failure that no input should cause.
  case `internal`(String)

  /// The stable name.
  var kind: String {
    switch self {
    case .invalidJob: "invalidJob"
    case .tooLarge: "tooLarge"
    case .notAnImage: "notAnImage"
    case .unsupportedType: "unsupportedType"
    case .truncated: "truncated"
    case .damaged: "damaged"
    case .tooManyPixels: "tooManyPixels"
    case .encryptedDocument: "encryptedDocument"
    case .missingFont: "missingFont"
    case .textTooLong: "textTooLong"
    case .watermarkUnsupported: "watermarkUnsupported"
    case .stripUnsupported: "stripUnsupported"
    case .outOfMemory: "outOfMemory"
    case .sandboxUnavailable: "sandboxUnavailable"
    case .internal: "internal"
    }
  }

  /// A sentence for who looks into it; what a person reads is worded by who asked.
  var message: String {
    switch self {
    case .invalidJob(let reason): reason
    case .tooLarge: "more than \(JobInput.mostBytes) bytes"
    case .notAnImage: "neither JPEG, PNG, HEIC nor PDF"
    case .unsupportedType(let detected): "this is \(detected); JPEG, PNG, HEIC and PDF are taken"
    case .truncated(let reason), .damaged(let reason), .tooManyPixels(let reason), .outOfMemory(let reason),
      .internal(let reason):
      reason
    case .encryptedDocument: "the document asks for a password"
    case .missingFont(_, let package): "no font has every character; install \(package)"
    case .textTooLong(let maximum):
      "a watermark has at most \(maximum) characters and \(Watermark.mostLines) lines"
    case .watermarkUnsupported: "a PDF is not marked: export it as an image"
    case .stripUnsupported: "the metadata of a PDF is not removed"
    case .sandboxUnavailable: "the process cannot be confined on this system"
    }
  }

  /// What programs may use beside the kind.
  var details: [JSON.Member] {
    switch self {
    case .unsupportedType(let detected): [JSON.Member("detected", .string(detected))]
    case .missingFont(let characters, let package):
      [JSON.Member("characters", .string(characters)), JSON.Member("package", .string(package))]
    case .textTooLong(let maximum): [JSON.Member("maximum", .integer(maximum))]
    default: []
    }
  }
}
