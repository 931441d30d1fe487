public import JSON

/// A request's parameters, taken one after another by name.
///
/// ```swift
/// init(_ parameters: inout Parameters) throws(ParameterError) {
///   id = try parameters.required("id")
///   limit = try parameters.optional("limit") ?? 50
/// }
/// ```
///
/// ``RequestType/read(_:)`` calls ``finish()`` after that, so a parameter nobody took is refused.
public struct Parameters: Sendable {
  private var members: [JSON.Member]
  private let path: String

  /// The parameters of a request, whose `params` may be missing.
  ///
  /// - Throws: ``ParameterError`` where they are given by position, or one of them twice.
  public init(_ value: JSON?) throws(ParameterError) {
    try self.init(value ?? .object([]), at: "")
  }

  /// The members of an object inside the parameters.
  ///
  /// - Parameter path: where the object stands, such as `extraFields[0]`.
  public init(_ value: JSON, at path: String) throws(ParameterError) {
    guard case .object(let members) = value else {
      throw ParameterError(path.isEmpty ? "params" : path, .object)
    }
    self.members = members
    self.path = path.isEmpty ? "" : path + "."
    if let name = members.repeatedName { throw ParameterError(self.path + name, .once) }
  }

  /// Takes a parameter that must be there.
  public mutating func required<Value: ParameterValue>(_ name: String) throws(ParameterError) -> Value {
    guard let value = take(name) else { throw ParameterError(path + name, .presence) }
    return try Value.read(value, at: path + name)
  }

  /// Takes a parameter that may be missing, for which null stands as well.
  public mutating func optional<Value: ParameterValue>(_ name: String) throws(ParameterError) -> Value? {
    guard let value = take(name), value != .null else { return nil }
    return try Value.read(value, at: path + name)
  }

  /// Takes an integer from one number to another, both allowed, that may be missing.
  public mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(ParameterError) -> Int? {
    guard let value: Int = try optional(name) else { return nil }
    guard range.contains(value) else {
      throw ParameterError(path + name, .integerBetween(range.lowerBound, range.upperBound))
    }
    return value
  }

  /// Takes a parameter that may be missing, and for which null means something of its own.
  ///
  /// - Returns: nil where it is missing, `.some(nil)` where it is null.
  public mutating func nullable<Value: ParameterValue>(_ name: String) throws(ParameterError) -> Value?? {
    guard let value = take(name) else { return nil }
    if value == .null { return .some(nil) }
    return try Value.read(value, at: path + name)
  }

  /// Where a parameter stands, for a fault: its name behind the path of the object that it is in.
  public func place(of name: String) -> String { path + name }

  /// Refuses a parameter that nobody took.
  public func finish() throws(ParameterError) {
    if let member = members.first { throw ParameterError(path + member.name, .absence) }
  }

  /// Passes over every parameter that nobody took, for the one method whose clients send more than it knows.
  public mutating func ignoreRest() {
    members = []
  }

  private mutating func take(_ name: String) -> JSON? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    return members.remove(at: index).value
  }
}
