/// A part of a stream of messages.
package enum Frame: Hashable, Sendable {
  /// The bytes of one message.
  case message([UInt8])
  /// A message over ``Framing/frameLimit``, whose bytes are discarded.
  case tooLarge
}
