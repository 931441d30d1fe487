import JSON
public import JSONRPC

/// Which page of a long list a client asks for.
public struct PageParameters: Sendable, Hashable {
  /// How many items a page may hold.
  public static let limits = 1...1_000

  /// How many items the page holds at the most; 50 unless the client says otherwise.
  public var limit: Int
  /// Where the page begins, as the page before told it; nil for the first.
  public var cursor: String?

  /// Takes `limit` and `cursor`.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    limit = try parameters.integer("limit", in: Self.limits) ?? 50
    cursor = try parameters.optional("cursor")
  }

  /// A page on the wire.
  static func json(items: [JSON], total: Int, nextCursor: String?) -> JSON {
    let members: [JSON.Member] = [.init("items", .array(items)), .init("total", .integer(total))]
    return .object(members + (nextCursor.map { [.init("nextCursor", .string($0))] } ?? []))
  }
}
