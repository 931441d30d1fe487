/// A value that is written as JSON.
package protocol JSONConvertible: Sendable {
  /// The value in JSON.
  var json: JSON { get }
}

/// A value that is read from JSON, as a parameter or as a part of an answer.
package protocol ParameterValue: Sendable {
  /// Reads the value.
  ///
  /// - Parameter path: the place of the value in the message, for the error.
  static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self
}

/// A value that is read from JSON and written as JSON.
package typealias JSONCodable = JSONConvertible & ParameterValue

extension String: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> String {
    guard case .string(let text) = value else { throw ParameterError(path, .string) }
    return text
  }

  package var json: JSON { .string(self) }
}

extension Bool: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Bool {
    guard case .bool(let truth) = value else { throw ParameterError(path, .boolean) }
    return truth
  }

  package var json: JSON { .bool(self) }
}

extension Int: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Int {
    guard let integer = value.integer else { throw ParameterError(path, .integer) }
    return integer
  }

  package var json: JSON { .integer(self) }
}

extension JSON: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> JSON { value }

  package var json: JSON { self }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
  /// Reads null as nil.
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Wrapped? {
    value == .null ? nil : try Wrapped.read(value, at: path)
  }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  package var json: JSON { self?.json ?? .null }
}

extension Array: ParameterValue where Element: ParameterValue {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> [Element] {
    guard case .array(let values) = value else { throw ParameterError(path, .array) }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(try Element.read(value, at: "\(path)[\(index)]"))
    }
    return elements
  }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  package var json: JSON { .array(map { $0.json }) }
}

/// A type whose values are the names of an object's members.
package protocol MemberName: Hashable, Sendable {
  init?(memberName: String)

  var memberName: String { get }
}

extension String: MemberName {
  package init?(memberName: String) { self = memberName }

  package var memberName: String { self }
}

extension MemberName where Self: RawRepresentable, RawValue == String {
  package init?(memberName: String) { self.init(rawValue: memberName) }

  package var memberName: String { rawValue }
}

extension Dictionary: ParameterValue where Key: MemberName, Value: ParameterValue {
  /// Reads an object. A repeated member, or one whose name is not a key, is an error.
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> [Key: Value] {
    _ = try Parameters(value, at: path)
    guard case .object(let members) = value else { throw ParameterError(path, .object) }
    var result: [Key: Value] = [:]
    for member in members {
      let place = "\(path).\(member.name)"
      guard let key = Key(memberName: member.name) else { throw ParameterError(place, .absence) }
      result.updateValue(try Value.read(member.value, at: place), forKey: key)
    }
    return result
  }
}

extension Dictionary: JSONConvertible where Key: MemberName, Value: JSONConvertible {
  /// An object with its members sorted by name.
  package var json: JSON {
    .object(map { .init($0.key.memberName, $0.value.json) }.sorted { $0.name < $1.name })
  }
}

extension ParameterValue where Self: RawRepresentable, Self: CaseIterable, RawValue == String {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    guard case .string(let word) = value, let known = Self(rawValue: word) else {
      throw ParameterError(path, .oneOf(allCases.map(\.rawValue)))
    }
    return known
  }
}

extension JSONConvertible where Self: RawRepresentable, RawValue == String {
  package var json: JSON { .string(rawValue) }
}
