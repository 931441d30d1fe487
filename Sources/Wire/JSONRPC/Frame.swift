/// A part of a stream of messages.
package enum Frame: Hashable, Sendable {
  /// The bytes of one message.
  case message([UInt8])
  /// A message over ``ConnectionLimits/message``, whose bytes are discarded.
  case tooLarge

  /// One message, or the messages of a batch.
  enum Content {
    case message(JSON)
    case batch([JSON])
  }

  /// The content of the frame.
  var content: Content {
    get throws(ProtocolError) {
      guard case .message(let bytes) = self else { throw .frameTooLarge }
      let value: JSON
      do {
        value = try JSONReader.read(bytes)
      } catch {
        throw error == .nestingTooDeep ? .nestingTooDeep : .malformedJSON
      }
      switch value {
      case .array([]): throw .invalidRequest(id: .null, .emptyBatch)
      case .array(let values) where values.count > Connection.batchLimit:
        throw .invalidRequest(id: .null, .batchTooLong)
      case .array(let values): return .batch(values)
      default: return .message(value)
      }
    }
  }
}
