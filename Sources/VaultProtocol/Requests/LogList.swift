package import JSON
package import VaultModel

/// `log/list`: unlocks, locks and the like, newest first, without private detail. Works locked.
package struct LogList: VaultRequest {
  package static let method = "log/list"
  package typealias Response = ItemsResponse<LogEntry>

  /// The maximum number of entries.
  package var limit: Int

  package static let coder = ObjectCoder(
    Self.init, .integer("limit", \.limit, in: PageParameters.limits, default: 50))
}

extension LogEntry: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("at", \.time), .required("event", \.event), .optional("method", \.means),
    .optional("reason", \.reason))
}
