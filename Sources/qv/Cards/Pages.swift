import VaultInterface
import Wire

/// The pages of a long list. Lists have thousands of items, so they are read when they are needed.
struct Pages<Item: JSONCodable> {
  private let method: String
  private let parameters: (PageParameters) -> JSON
  private let limit: Int

  /// - Parameters:
  ///   - limit: the maximum number of items; nil for all.
  ///   - request: the request for a page.
  init<Request: VaultRequest>(limit: Int?, _ request: @escaping (PageParameters) -> Request)
  where Request.Response == Page<Item> {
    (method, parameters, self.limit) = (Request.method, { request($0).json }, limit ?? .max)
  }

  /// Reads page after page. The server makes the next one while `body`, which must not use the vault, has this one.
  ///
  /// - Returns: the number of items that there are, and that were read.
  @discardableResult
  func read(_ vault: Vault, _ body: ([JSON]) throws(Failure) -> Void) throws(Failure) -> (
    total: Int, read: Int
  ) {
    var (parameters, read) = (parameters(of: nil, after: 0), 0)
    var begun: RequestIdentifier?
    while true {
      let answer = try vault.attempt(method, parameters, begun: begun).getOrFail()
      let page = try Page<JSON>.decoded(answer)
      read += page.items.count
      guard let cursor = page.nextCursor, !page.items.isEmpty, read < limit else {
        try body(page.items)
        return (page.total, read)
      }
      parameters = self.parameters(of: cursor, after: read)
      begun = try vault.connected().begin(method, parameters)
      try body(page.items)
    }
  }

  private func parameters(of cursor: String?, after read: Int) -> JSON {
    parameters(PageParameters(limit: min(limit - read, PageParameters.limits.upperBound), cursor: cursor))
  }
}
