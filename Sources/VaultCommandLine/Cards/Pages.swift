import JSON
import VaultModel

/// The pages of a long list.
struct Pages {
  private let method: String
  private let parameters: [JSON.Member]
  private let limit: Int
  private static let pageSize = 1000

  /// - Parameter limit: the maximum number of items; nil for all.
  init(_ method: String, _ parameters: [JSON.Member], limit: Int?) {
    (self.method, self.parameters, self.limit) = (method, parameters, limit ?? .max)
  }

  /// Reads page after page.
  ///
  /// - Returns: the number of items that there are, and that were read.
  @discardableResult
  func read(_ vault: Vault, _ body: ([JSON]) throws(Failure) -> Void) throws(Failure) -> (
    total: Int, read: Int
  ) {
    var (cursor, read) = (nil as String?, 0)
    while true {
      var parameters = parameters + [.init("limit", .integer(min(limit - read, Self.pageSize)))]
      if let cursor { parameters.append(.init("cursor", .string(cursor))) }
      let page = try vault.request(method, .object(parameters))
      let items = page["items"]?.elements ?? []
      read += items.count
      try body(items)
      cursor = page["nextCursor"]?.string
      if cursor == nil || items.isEmpty || read >= limit { return (page["total"]?.integer ?? read, read) }
    }
  }
}
