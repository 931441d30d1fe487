/// A JSON value (RFC 8259), with numbers as they were written and members in the order in which they came.
///
/// Numbers stay text so that a request's id is echoed to the letter (`1.50` is not `1.5`), and members stay in
/// order so that what a person reads keeps the order in which it was written.
///
/// ```swift
/// let parameters: JSON = ["id": "a3c1…", "pinned": true]
/// ```
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One name and value of an object.
  public struct Member: Sendable, Hashable {
    /// The name, which another member of the same object may repeat: readers decide what that means.
    public var name: String
    /// The value.
    public var value: JSON

    /// A member of the given name and value.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// A number as RFC 8259 writes it.
  public struct Number: Sendable, Hashable {
    /// The number's text, valid by the grammar of RFC 8259, section 6.
    public let text: String

    /// Takes text that a reader has found to be a number.
    init(validated text: String) {
      self.text = text
    }

    /// The number that an integer is.
    public init(_ value: Int) {
      text = String(value)
    }

    /// The number that has an integer's digits with so many of them behind the point: 35 shifted by 2 is 0.35.
    public init(_ value: Int, shiftedBy places: Int) {
      let digits = String(value.magnitude)
      let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
      let point = padded.index(padded.endIndex, offsetBy: -max(places, 0))
      text = (value < 0 ? "-" : "") + padded[..<point] + (places > 0 ? "." + padded[point...] : "")
    }

    /// The value where it is an integer, as `3`, `3.0` and `3e0` all are, and fits 64 bits; nil otherwise.
    ///
    /// It is reckoned in decimal: a `Double` would make 0 of `1e-400` and 9007199254740992 of `9007199254740993.0`.
    public var integer: Int? {
      if let value = Int(text) { return value }
      let parts = text.split { $0 == "e" || $0 == "E" }
      guard let mantissa = parts.first?.split(separator: "."), let whole = mantissa.first else { return nil }
      let fraction = mantissa.dropFirst().first ?? ""
      let digits = whole + fraction
      guard let last = digits.lastIndex(where: { $0 != "0" && $0 != "-" }) else { return 0 }

      let exponent = parts.count > 1 ? Int(parts[1]) : 0
      guard let exponent, exponent.magnitude < 1 << 40 else { return nil }
      let trailing = digits.distance(from: last, to: digits.endIndex) - 1
      let zeros = exponent - fraction.count + trailing
      guard (0...18).contains(zeros) else { return nil }
      return Int(digits[...last] + String(repeating: "0", count: zeros))
    }
  }
}

extension JSON {
  /// The value of the object's first member of that name; nil where there is none or where this is no object.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for anything else.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a number that is an integer; nil for anything else.
  public var integer: Int? {
    guard case .number(let number) = self else { return nil }
    return number.integer
  }

  /// The number that an integer is.
  public static func integer(_ value: Int) -> JSON {
    .number(Number(value))
  }
}

extension [JSON.Member] {
  /// The first name that stands here a second time; nil where every member has its own.
  package var repeatedName: String? {
    // As few as a message has are compared with one another more quickly than they are hashed.
    if count <= 8 {
      return indices.first { index in self[..<index].contains { $0.name == self[index].name } }
        .map { self[$0].name }
    }
    var names = Set<String>(minimumCapacity: count)
    return first { !names.insert($0.name).inserted }?.name
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// A number.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// An object, its members in the order of the literal.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
