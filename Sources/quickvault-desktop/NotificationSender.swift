import JSONRPC

/// Sends notifications to the vault's process. Used on the loop's thread only.
final class NotificationSender: @unchecked Sendable {
  /// Set later: the connection is created after the objects that send notifications.
  var connection: Connection?

  func send(_ notification: any OutgoingNotification) {
    connection?.assumeIsolated { $0.send(notification) }
  }
}
