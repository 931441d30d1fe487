package import Wire

/// Identifies a task in progress notifications: a string or an integer. A request without one gets none.
package struct ProgressToken: JSONCodable, Hashable {
  package let json: JSON

  private init(json: JSON) { self.json = json }

  package init(_ name: String) { json = .string(name) }

  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> ProgressToken {
    guard value.string != nil || value.integer != nil else { throw ParameterError(path, .token) }
    return ProgressToken(json: value)
  }
}
