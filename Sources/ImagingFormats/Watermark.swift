import Wire

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
