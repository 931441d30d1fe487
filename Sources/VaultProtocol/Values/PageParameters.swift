package import JSON

/// The page of a long list.
package struct PageParameters: JSONObject, Hashable {
  /// The allowed values of `limit`.
  package static let limits = 1...1_000

  /// The maximum number of items.
  package var limit: Int
  /// The `nextCursor` of the page before; nil for the first page.
  package var cursor: String?

  package static let coder = ObjectCoder(
    Self.init, .integer("limit", \.limit, in: limits, default: 50), .optional("cursor", \.cursor))
}
