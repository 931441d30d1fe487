package import Wire

/// The page of a long list.
package struct PageParameters: JSONObject, Hashable {
  /// The allowed values of `limit`.
  package static let limits = 1...1_000

  /// The maximum number of items.
  package var limit: Int
  /// The `nextCursor` of the page before; nil for the first page.
  package var cursor: String?

  package init(limit: Int, cursor: String? = nil) { (self.limit, self.cursor) = (limit, cursor) }

  package static let coder = ObjectCoder(
    Self.init, .integer("limit", \.limit, in: limits, default: 50), .optional("cursor", \.cursor))
}

extension Page: JSONConvertible, ParameterValue, JSONObject, ResultObject where Item: JSONCodable {
  package static var coder: ObjectCoder<Self> {
    ObjectCoder(
      Self.init, .required("items", \.items), .required("total", \.total),
      .optional("nextCursor", \.nextCursor))
  }
}
