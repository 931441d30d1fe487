public import JSON
public import JSONRPC

/// What names a piece of work whose progress is told: a string or an integer of the client's choice.
public struct ProgressToken: Sendable, Hashable, ParameterValue {
  /// The token as it came.
  public let json: JSON

  /// Reads a string or an integer.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> ProgressToken {
    guard value.string != nil || value.integer != nil else { throw ParameterError(path, .token) }
    return ProgressToken(json: value)
  }
}
