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

  /// - Throws: ``ImagingError/invalidJob(_:)`` and ``ImagingError/textTooLong(maximum:)``.
  init(_ fields: Fields) throws(ImagingError) {
    var fields = fields
    guard let text = try fields.string("text") else { throw .invalidJob("text is missing") }
    opacity = try fields.number("opacity", in: 0.05...1) ?? 0.35
    angle = try fields.number("angle", in: -180...180) ?? 30
    size = try fields.number("size", in: 0.01...0.5) ?? 0.04
    spacing = try fields.number("spacing", in: 0.5...20) ?? 2.5
    try fields.end()
    self.text = try Self.checked(text)
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
