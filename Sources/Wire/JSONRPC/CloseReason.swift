/// Why a connection was closed.
package enum CloseReason: Sendable, Hashable {
  /// The client sent `exit`.
  case exit(afterShutdown: Bool)
  /// The input ended.
  case endOfInput(Framing?, afterShutdown: Bool)
  /// The input cannot be split into frames.
  case broken(StreamError)
  /// The program stopped it: on a signal, or because the client's process is gone.
  case stopped
  /// The client does not read the answers.
  case unreadable
  /// A new process continues from this state.
  case handedOff(StreamState, Stage)
}

/// The stage of the lifecycle.
package enum Stage: String, Sendable, Hashable {
  /// `initialize` has not been answered.
  case fresh
  /// `initialize` has been answered.
  case initialized
  /// `shutdown` has been answered.
  case shutDown

  /// Checks that a request is allowed at this stage. With headers, `initialize` comes first; with lines it is optional.
  func admit(_ method: String, framing: Framing?) throws(ProtocolError) {
    switch self {
    case .fresh:
      guard method == "initialize" || framing == .lines else { throw .lifecycle(.notInitialized) }
    case .initialized:
      guard method != "initialize" else { throw .lifecycle(.alreadyInitialized) }
    case .shutDown: throw .lifecycle(.shutDown)
    }
  }
}
