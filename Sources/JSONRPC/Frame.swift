/// What a stream holds, piece by piece.
public enum Frame: Hashable, Sendable {
  /// The bytes of one message.
  case message([UInt8])
  /// A message over ``Framing/frameLimit``, whose bytes are thrown away as they come.
  case tooLarge
}
