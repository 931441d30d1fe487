/// A JSON value (RFC 8259).
///
/// Numbers keep their text, so that a request's id is echoed exactly (`1.50` is not `1.5`), and members keep their order.
///
/// ```swift
/// let parameters: JSON = ["id": "a3c1…", "pinned": true]
/// ```
package enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A name and value of an object.
  package struct Member: Sendable, Hashable {
    /// Another member of the object may have the same name.
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// A number as RFC 8259 writes it.
  package struct Number: Sendable, Hashable {
    /// The number's text, valid by the grammar of RFC 8259, section 6.
    package let text: String

    /// - Parameter text: a number by the grammar of RFC 8259.
    init(validated text: String) {
      self.text = text
    }

    package init(_ value: Int) {
      text = String(value)
    }

    /// Creates a decimal fraction: 35 shifted by 2 is 0.35.
    package init(_ value: Int, shiftedBy places: Int) {
      let digits = String(value.magnitude)
      let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
      let point = padded.index(padded.endIndex, offsetBy: -max(places, 0))
      text = (value < 0 ? "-" : "") + padded[..<point] + (places > 0 ? "." + padded[point...] : "")
    }

    /// The value of an integer of 64 bits, which may be written as `3`, `3.0` or `3e0`; nil for any other number.
    ///
    /// It is computed in decimal: a `Double` would turn `1e-400` into 0 and `9007199254740993.0` into 9007199254740992.
    package var integer: Int? {
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

  /// The value of the first member with this name; nil if there is none, or this is not an object.
  package subscript(name: String) -> JSON? {
    members.first { $0.name == name }?.value
  }

  /// The value; nil for null, which clients send for an optional member that they leave out.
  package var unlessNull: JSON? {
    guard self != .null else { return nil }
    return self
  }

  /// The members of an object, and the elements of an array; empty for anything else.
  package var members: [Member] { if case .object(let members) = self { members } else { [] } }
  package var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

  /// The text of a string; nil for anything else.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a number that is an integer; nil for anything else.
  package var integer: Int? {
    guard case .number(let number) = self else { return nil }
    return number.integer
  }

  package static func integer(_ value: Int) -> JSON {
    .number(Number(value))
  }
}

extension [JSON.Member] {
  /// The first name that is repeated; nil if there is none.
  package var repeatedName: String? {
    // For the few members that a message has, comparing is faster than hashing.
    if count <= 16 {
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
  package init(nilLiteral: ()) { self = .null }

  package init(booleanLiteral value: Bool) { self = .bool(value) }

  package init(integerLiteral value: Int) { self = .integer(value) }

  package init(stringLiteral value: String) { self = .string(value) }

  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
