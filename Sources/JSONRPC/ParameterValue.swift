public import JSON

/// A type that a parameter can have.
public protocol ParameterValue: Sendable {
  /// Reads the value.
  ///
  /// - Parameters:
  ///   - value: what the client sent.
  ///   - path: where it stands, for the fault.
  static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self
}

extension String: ParameterValue {
  /// Reads a string.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> String {
    guard case .string(let text) = value else { throw ParameterError(path, .string) }
    return text
  }
}

extension Bool: ParameterValue {
  /// Reads `true` or `false`.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> Bool {
    guard case .bool(let truth) = value else { throw ParameterError(path, .boolean) }
    return truth
  }
}

extension Int: ParameterValue {
  /// Reads a number without a fraction.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> Int {
    guard let integer = value.integer else { throw ParameterError(path, .integer) }
    return integer
  }
}

extension JSON: ParameterValue {
  /// Reads any value at all.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> JSON { value }
}

extension Array: ParameterValue where Element: ParameterValue {
  /// Reads an array, each element of which must be right.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> [Element] {
    guard case .array(let values) = value else { throw ParameterError(path, .array) }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(try Element.read(value, at: "\(path)[\(index)]"))
    }
    return elements
  }
}

extension ParameterValue where Self: RawRepresentable, Self: CaseIterable, RawValue == String {
  /// Reads one of the words of an enumeration.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    guard case .string(let word) = value, let known = Self(rawValue: word) else {
      throw ParameterError(path, .oneOf(allCases.map(\.rawValue)))
    }
    return known
  }
}
