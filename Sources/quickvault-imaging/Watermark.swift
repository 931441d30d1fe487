import CImaging

/// A text over a picture, and how it is drawn (requirement R6).
struct Watermark {
  /// The most characters (code points) and lines that a text may have.
  static let mostCharacters = 200
  static let mostLines = 8

  /// The text, of one line or several.
  let text: String
  /// How it is drawn.
  let style: ImagingStyle

  /// Reads the object `watermark` of a job.
  ///
  /// - Throws: ``ImagingError/invalidJob(_:)`` and ``ImagingError/textTooLong(maximum:)``.
  init(_ fields: Fields) throws(ImagingError) {
    var fields = fields
    guard let text = try fields.string("text") else { throw .invalidJob("text is missing") }
    style = ImagingStyle(
      opacity: try fields.number("opacity", in: 0.05...1) ?? 0.35,
      angle: try fields.number("angle", in: -180...180) ?? 30,
      size: try fields.number("size", in: 0.01...0.5) ?? 0.04,
      spacing: try fields.number("spacing", in: 0.5...20) ?? 2.5)
    try fields.end()
    self.text = try Self.checked(text)
  }

  private static func checked(_ text: String) throws(ImagingError) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { !$0.properties.isWhitespace }) else { throw .invalidJob("text is empty") }
    guard scalars.count <= mostCharacters, scalars.count(where: { $0 == "\n" }) < mostLines else {
      throw .textTooLong(maximum: mostCharacters)
    }
    guard !scalars.contains(where: { $0 != "\n" && $0.properties.generalCategory == .control }) else {
      throw .invalidJob("text has control characters")
    }
    return text
  }
}

/// A text as outlines, made while fonts could still be read.
@safe final class Outlines {
  /// The outlines, as CImaging takes them.
  let text: OpaquePointer

  /// Shapes the text.
  ///
  /// - Throws: ``ImagingError/missingFont(characters:package:)`` and ``ImagingError/outOfMemory(_:)``.
  init(_ text: String) throws(ImagingError) {
    var missing: UnsafeMutablePointer<CChar>?
    guard let outlines = unsafe imaging_text_create(text, &missing) else {
      throw .outOfMemory("no memory for the text")
    }
    unsafe self.text = outlines
    guard let missing = unsafe missing else { return }
    let characters = unsafe String(cString: missing)
    unsafe imaging_free(missing)
    throw .missingFont(characters: characters, package: Self.package(for: characters))
  }

  deinit {
    unsafe imaging_text_free(text)
  }

  /// The Debian package with a font for the first of the characters.
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
