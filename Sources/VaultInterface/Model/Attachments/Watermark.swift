/// A text over a picture, and its style (R6). All values are integers, so that they are stored exactly.
public struct Watermark: Hashable, Sendable {
  /// The text, of up to 8 lines.
  public var text: String
  /// The opacity in percent.
  public var opacity: Int
  /// The rotation of the text relative to the upright picture, in degrees, counter-clockwise.
  public var angle: Int
  /// The em, in tenths of a percent of the picture's shorter side.
  public var size: Int
  /// The room between texts, in percent of the em.
  public var spacing: Int

  /// The allowed values of the style.
  public enum Range {
    /// In percent.
    public static let opacity = 5...100
    /// In degrees.
    public static let angle = -180...180
    /// In tenths of a percent of the picture's shorter side.
    public static let size = 10...500
    /// In percent of the em.
    public static let spacing = 50...2_000
  }

  /// Creates a watermark; the style has defaults.
  public init(
    text: String, opacity: Int = 35, angle: Int = 30, size: Int = 40, spacing: Int = 250
  ) {
    (self.text, self.opacity, self.angle, self.size, self.spacing) = (text, opacity, angle, size, spacing)
  }

  /// Why a watermark cannot be used.
  public enum ValidationError: String, Error, Hashable, Sendable, CaseIterable {
    /// The text is blank, or no font shows anything for it.
    case empty
    /// The text is longer than ``Limits/watermark``, or has more than ``Limits/watermarkLines`` lines.
    case tooLong
    /// The text has a control character other than the line feed.
    case invalidCharacter
    /// A measure is outside of its range.
    case outOfRange
  }

  /// Checks the text and the style.
  /// - Throws: ``ValidationError``.
  public func validate() throws(ValidationError) {
    let scalars = text.unicodeScalars
    guard !text.isBlank else { throw .empty }
    guard scalars.count <= Limits.watermark, scalars.count(where: { $0 == "\n" }) < Limits.watermarkLines
    else {
      throw .tooLong
    }
    guard !scalars.contains(where: { $0 != "\n" && $0.properties.generalCategory == .control }) else {
      throw .invalidCharacter
    }
    guard Range.opacity.contains(opacity), Range.angle.contains(angle), Range.size.contains(size),
      Range.spacing.contains(spacing)
    else { throw .outOfRange }
  }
}
