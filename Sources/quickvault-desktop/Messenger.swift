import JSONRPC

/// Tells the vault's process something outside of an answer. It belongs to the loop's thread.
final class Messenger: @unchecked Sendable {
  /// The conversation, which is made after those who want to tell something.
  var connection: Connection?

  /// Sends a notification.
  func send(_ notification: any OutgoingNotification) {
    connection?.assumeIsolated { $0.send(notification) }
  }
}
