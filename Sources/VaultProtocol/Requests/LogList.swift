package import JSON
package import VaultModel

/// `log/list`: unlocks, locks and the like, newest first, without private detail. Works locked.
package struct LogList: VaultRequest {
  package static let method = "log/list"
  package typealias Answer = ItemsAnswer<Entry>

  /// The maximum number of entries.
  package var limit: Int

  package static let coder = ObjectCoder(
    Self.init, .integer("limit", \.limit, in: PageParameters.limits, default: 50))

  package struct Entry: ResultObject, Hashable {
    package var time: Timestamp
    /// The event, such as `unlocked` or `wrongPassword`.
    package var event: String
    /// The means of authentication, such as `password`.
    package var means: String?
    /// The reason, such as `timeout`.
    package var reason: String?

    package init(time: Timestamp, event: String, means: String?, reason: String?) {
      self.time = time
      self.event = event
      self.means = means
      self.reason = reason
    }

    package static let coder = ObjectCoder(
      Self.init, .required("at", \.time), .required("event", \.event), .optional("method", \.means),
      .optional("reason", \.reason))
  }
}
