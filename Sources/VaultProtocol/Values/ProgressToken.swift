package import JSON

/// Identifies a task in progress notifications: a string or an integer.
package struct ProgressToken: JSONCodable, Hashable {
  package let json: JSON

  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> ProgressToken {
    guard value.string != nil || value.integer != nil else { throw ParameterError(path, .token) }
    return ProgressToken(json: value)
  }
}
