/// A log entry. It never contains private data.
public struct LogEntry: Sendable, Hashable {
  public var time: Timestamp
  /// The event, such as `unlocked` or `wrongPassword`. A newer program may have written events that this one does not know.
  public var event: String
  /// The means of authentication, such as `password`.
  public var means: String?
  /// The reason of a lock, such as `timeout`.
  public var reason: String?

  public init(time: Timestamp, event: String, means: String?, reason: String?) {
    (self.time, self.event, self.means, self.reason) = (time, event, means, reason)
  }
}
