/// Sends notifications to the vault's process. Used on the loop's thread only.
package final class NotificationSender: @unchecked Sendable {
  /// Set later: the connection is created after the objects that send notifications.
  package var connection: Connection?

  package init() {}

  package func send(_ notification: any OutgoingNotification) {
    connection?.assumeIsolated { $0.send(notification) }
  }
}
