/// The members of an object, taken by name; ``finish()`` refuses the rest.
///
/// ```swift
/// init(_ parameters: inout Parameters) throws(ParameterError) {
///   id = try parameters.required("id")
///   limit = try parameters.optional("limit") ?? 50
/// }
/// ```
package struct Parameters: Sendable {
  private var members: [JSON.Member]
  private let path: String
  /// Told of each parameter that is asked for; nil outside of the tests, which make the reference of it.
  package var recorder: (@Sendable (Asked) -> Void)?

  /// What is asked about a parameter.
  package struct Asked: Sendable {
    package var name: String
    package var isRequired = false
    /// The type that reads it; nil if it is known from another question.
    package var type: (any ParameterValue.Type)?
    package var expectation: ParameterError.Expectation?
    package var initial: JSON?
  }

  /// The parameters of a request, whose `params` may be missing.
  ///
  /// - Throws: ``ParameterError`` if they are given by position, or one of them twice.
  package init(_ value: JSON?) throws(ParameterError) {
    try self.init(value ?? .object([]), at: "")
  }

  /// The members of an object inside the parameters.
  ///
  /// - Parameter path: where the object stands, such as `extraFields[0]`.
  package init(_ value: JSON, at path: String) throws(ParameterError) {
    guard case .object(let members) = value else {
      throw ParameterError(path.isEmpty ? "params" : path, .object)
    }
    self.members = members
    self.path = path.isEmpty ? "" : path + "."
    if let name = members.repeatedName { throw ParameterError(self.path + name, .once) }
  }

  /// Takes a parameter that must be present.
  package mutating func required<Value: ParameterValue>(_ name: String) throws(ParameterError) -> Value {
    recorder?(Asked(name: name, isRequired: true, type: Value.self))
    guard let value = take(name) else { throw ParameterError(path + name, .presence) }
    return try Value.read(value, at: path + name)
  }

  /// Takes a parameter that may be missing or null.
  package mutating func optional<Value: ParameterValue>(_ name: String) throws(ParameterError) -> Value? {
    recorder?(Asked(name: name, type: Value.self))
    guard let value = take(name), value != .null else { return nil }
    return try Value.read(value, at: path + name)
  }

  /// Takes a parameter that has a default value if it is missing or null.
  package mutating func optional<Value: ParameterValue & JSONConvertible>(
    _ name: String, default initial: Value
  ) throws(ParameterError) -> Value {
    recorder?(Asked(name: name, initial: initial.json))
    return try optional(name) ?? initial
  }

  /// Takes an integer within a range; it may be missing or null.
  package mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(ParameterError) -> Int? {
    note(name, .integerBetween(range.lowerBound, range.upperBound))
    guard let value: Int = try optional(name) else { return nil }
    guard range.contains(value) else {
      throw ParameterError(path + name, .integerBetween(range.lowerBound, range.upperBound))
    }
    return value
  }

  /// Takes a parameter that may be missing; the type reads null.
  package mutating func present<Value: ParameterValue>(_ name: String) throws(ParameterError) -> Value? {
    recorder?(Asked(name: name, type: Value.self))
    guard let value = take(name) else { return nil }
    return try Value.read(value, at: path + name)
  }

  /// Says what is expected of the value of a parameter.
  package func note(_ name: String, _ expectation: ParameterError.Expectation) {
    recorder?(Asked(name: name, expectation: expectation))
  }

  /// The path of a parameter, for an error.
  package func place(of name: String) -> String { path + name }

  /// Checks that every parameter was taken: an unknown one is an error.
  package func finish() throws(ParameterError) {
    if let member = members.first { throw ParameterError(path + member.name, .absence) }
  }

  /// The parameters that were not taken yet.
  package var rest: JSON { .object(members) }

  /// Makes ``finish()`` accept the parameters that were not taken.
  package mutating func ignoreRest() {
    members = []
  }

  private mutating func take(_ name: String) -> JSON? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    return members.remove(at: index).value
  }
}

/// A parameter that is not what its method expects.
package struct ParameterError: Error, Sendable, Hashable {
  /// The path, such as `limit` or `extraFields[0].label`.
  package let parameter: String
  package let expectation: Expectation

  package init(_ parameter: String, _ expectation: Expectation) {
    self.parameter = parameter
    self.expectation = expectation
  }

  /// What was expected; the text of the message is up to the program.
  package enum Expectation: Sendable, Hashable {
    case string
    /// The URL of a server, with `https`.
    case url
    case boolean
    case integer
    /// An integer from one number to another, inclusive.
    case integerBetween(Int, Int)
    case object
    case array
    /// Bytes in Base64 (RFC 4648, section 4).
    case base64
    /// A UUID (RFC 9562).
    case identifier
    /// A progress token: a string or an integer.
    case token
    /// One of these words.
    case oneOf([String])
    /// It is required.
    case presence
    /// It is unknown.
    case absence
    /// It must be absent if the parameter with this name is present.
    case absenceWith(String)
    /// It must not be repeated.
    case once
    /// At most this many characters or elements.
    case atMost(Int)
  }
}
