import JSONRPC

/// Tells the vault's process something outside of an answer. It belongs to the loop's thread.
final class Messenger: @unchecked Sendable {
  /// The conversation, which is made after those who want to tell something.
  var connection: Connection?

  /// Sends a notice.
  func send(_ notice: any OutgoingNotice) {
    connection?.assumeIsolated { $0.send(notice) }
  }
}
