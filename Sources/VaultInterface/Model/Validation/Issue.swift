/// One thing that is wrong or odd about a value that a client gave (R21).
public struct Issue: Hashable, Sendable {
  /// The kinds of issues; the raw value is the stable code on the wire.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// A required value is empty.
    case required
    /// Longer than the limit in ``Limits``.
    case tooLong
    /// A control character, or a line break in a one-line value.
    case invalidCharacter
    /// Not the shape of a phone number (R2).
    case phone
    /// Not the shape of a unified social credit code (R3).
    case taxId
    /// The template has no field of this key.
    case unknownField
    /// An extra field without a label.
    case emptyLabel
    /// A label that another extra field or a field of the card already has.
    case duplicateLabel
    /// More than the limit in ``Limits``.
    case tooMany
    /// A number outside its range.
    case outOfRange
    /// A copy template that is malformed, or names a field that its card type does not have.
    case invalidTemplate
    /// A language that QuickVault does not speak.
    case unknownLanguage
    /// A warning: the check character of a unified social credit code does not match (R3).
    case checkCharacter
    /// A warning: a tax number (R3) or a new password (R11) is one character repeated.
    case repeatedCharacter
    /// A warning: a new password is a plain sequence (R11).
    case sequence
    /// A warning: a new password is one of the most common (R11).
    case common
    /// A part of an imported file that cannot be read.
    case unreadable
    /// A warning: a part of an imported entry that a card cannot hold.
    case leftOut
    /// A warning: an imported entry lacks a required field of its card type, and became a text card.
    case keptAsText
    /// A warning: an imported entry has no title, and was given one.
    case titleGiven
    /// A warning: a person should check how a part of an imported file was understood.
    case unclear
    /// A line of a form that belongs to no field.
    case syntax
    /// A word in a form that names no group.
    case unknownGroup
    /// A word in a form that names no type that the card can have.
    case unknownType
    /// The mask of a concealed value in a form, where it stands for none.
    case mask
  }

  /// The part with the issue: `title`, `group`, `tags`, a field key, `extraFields[0].label`, `extraFields[0].value`,
  /// a settings key, `password`, or `form` for a line that belongs to no part.
  public let field: String
  /// The kind of issue.
  public let code: Code
  /// The message for the user; it never repeats the value.
  public let message: Localized
  /// The line in the text of a form, from 1; nil for none.
  public var line: Int?

  public init(field: String, code: Code, message: Localized, line: Int? = nil) {
    (self.field, self.code, self.message, self.line) = (field, code, message, line)
  }

  static func required(_ field: String, _ label: Localized) -> Issue {
    Issue(
      field: field, code: .required,
      message: Localized("\(label.english) must not be empty.", "“\(label.simplifiedChinese)”不能为空。"))
  }

  static func tooLong(_ field: String, _ label: Localized, limit: Int) -> Issue {
    Issue(
      field: field, code: .tooLong,
      message: Localized(
        "\(label.english) is longer than \(limit) characters.",
        "“\(label.simplifiedChinese)”超过 \(limit) 个字符。"))
  }

  static func tooMany(_ field: String, _ label: Localized, limit: Int) -> Issue {
    Issue(
      field: field, code: .tooMany,
      message: Localized(
        "\(label.english): more than \(limit).", "“\(label.simplifiedChinese)”超过 \(limit) 个。"))
  }

  static func invalidCharacter(_ field: String, _ label: Localized, multiline: Bool) -> Issue {
    let message =
      multiline
      ? Localized(
        "\(label.english) contains a control character.", "“\(label.simplifiedChinese)”含有控制字符。")
      : Localized(
        "\(label.english) contains a line break or a control character.",
        "“\(label.simplifiedChinese)”含有换行或控制字符。")
    return Issue(field: field, code: .invalidCharacter, message: message)
  }
}

/// All errors and warnings about a client's values, at once (R21).
public struct ValidationReport: Hashable, Sendable {
  /// The errors, which prevent saving.
  public var errors: [Issue] = []
  /// The warnings, which do not prevent saving.
  public var warnings: [Issue] = []

  /// Whether there is no error.
  public var isValid: Bool { errors.isEmpty }
}

/// The error thrown when values cannot be saved. Nothing was changed.
public struct InvalidValues: Error, Hashable, Sendable {
  /// Every error, and the warnings beside them.
  public let report: ValidationReport
}
