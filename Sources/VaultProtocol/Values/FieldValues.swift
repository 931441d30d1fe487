public import JSON
public import JSONRPC

/// A card's fields as a client gives them: values by key, null for one that is to go.
public struct FieldValues: Sendable, Hashable, ParameterValue {
  /// The values.
  public var values: [String: String?]

  /// Reads an object of strings and nulls.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> FieldValues {
    // Parameters refuses a key that comes twice.
    _ = try Parameters(value, at: path)
    guard case .object(let members) = value else { throw ParameterError(path, .object) }
    var values: [String: String?] = [:]
    for member in members {
      values[member.name] = .some(
        member.value == .null ? nil : try String.read(member.value, at: "\(path).\(member.name)"))
    }
    return FieldValues(values: values)
  }
}
