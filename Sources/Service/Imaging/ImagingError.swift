import VaultInterface
import Wire

/// Why a picture was not read or not made: an error of the imaging worker, or one of these. The attachment is unchanged.
struct ImagingError: ApplicationError, Hashable {
  private let name: String
  private let data: JSON

  private init(_ name: String, _ data: JSON = [:]) {
    (self.name, self.data) = (name, data)
  }

  /// The imaging worker is not installed.
  static func missingWorker(program: String) -> Self { Self("missingWorker", ["program": .string(program)]) }
  /// The program ended without an answer.
  static let crashed = Self("crashed")
  /// It took longer than ``timeLimit``.
  static let timedOut = Self("timedOut")
  /// The bytes are neither a picture nor a PDF.
  static let notAnImage = Self("notAnImage")
  static let watermarkUnsupported = Self("watermarkUnsupported")
  static let stripUnsupported = Self("stripUnsupported")
  static let outOfMemory = Self("outOfMemory")
  /// The result is not as expected.
  static let failed = Self("failed")

  static let timeLimit = Duration.seconds(30)
  /// The most pixels that the worker reads.
  private static let pixelLimit = 50_000_000

  /// An error of the worker's answer.
  init(_ error: JSON) {
    let name = error["kind"]?.string ?? ""
    let row = ErrorKind.named("imaging.\(name)")
    // A worker that a picture has taken over can say anything.
    let texts = row?.data.map { JSON.Member($0.key, .string(error[$0.key]?.string ?? "")) } ?? []
    let isTooLarge = name == "tooManyPixels"
    self.init(
      row == nil ? "failed" : name, isTooLarge ? ["maximum": .integer(Self.pixelLimit)] : .object(texts))
  }

  var descriptor: ErrorDescriptor {
    .init(
      "imaging.\(name)", data, reason: data["characters"] == "" ? "document" : nil,
      words: ["millions": Localized(verbatim: "\(Self.pixelLimit / 1_000_000)")])
  }
}
