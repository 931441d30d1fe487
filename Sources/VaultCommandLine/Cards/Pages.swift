import JSON
import JSONRPC
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
      let page = try vault.request(method, parameters, begun: begun)
      let items = page["items"]?.elements ?? []
      read += items.count
      guard let cursor = page["nextCursor"]?.string, !items.isEmpty, read < limit else {
        try body(items)
        return (page["total"]?.integer ?? read, read)
      }
      parameters = self.parameters(of: cursor, after: read)
      begun = try vault.connected().begin(method, parameters)
      try body(items)
    }
  }

  private func parameters(of cursor: String?, after read: Int) -> JSON {
    let limit = JSON.Member("limit", .integer(min(limit - read, Self.pageSize)))
    return .object(parameters + [limit] + (cursor.map { [.init("cursor", .string($0))] } ?? []))
  }
}
