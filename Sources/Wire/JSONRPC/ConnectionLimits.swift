/// How much a connection keeps of what its client sends and does not read, and when it answers.
package struct ConnectionLimits: Sendable, Hashable {
  /// The length of the longest message that is read, in bytes.
  package var message: Int
  /// The number of bytes of waiting requests, plus 64 for each, at which reading stops.
  package var waiting: Int
  /// The number of bytes of waiting answers at which no further request is started.
  package var unread: Int
  /// The most bytes of the answers of a batch, after which none of its requests is begun.
  package var batch: Int
  /// Whether a message is begun only when no other client has one to answer.
  package var yields: Bool

  /// Limits from numbers of bytes.
  package init(message: Int, waiting: Int, unread: Int, batch: Int, yields: Bool) {
    (self.message, self.waiting, self.unread, self.batch) = (message, waiting, unread, batch)
    self.yields = yields
  }

  /// Those of a client that may use what the program serves: messages and batches of 32 MiB, 4 MiB that wait, 1 MiB unread.
  package static let usual = ConnectionLimits(
    message: Framing.frameLimit, waiting: 4 << 20, unread: 1 << 20, batch: Connection.answerLimit,
    yields: false)

  /// Those that every client keeps within without being asked about: 64 KiB of each.
  package static let least = ConnectionLimits(
    message: 64 << 10, waiting: 64 << 10, unread: 64 << 10, batch: 64 << 10, yields: true)
}
