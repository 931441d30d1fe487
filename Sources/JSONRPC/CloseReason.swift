/// How a conversation ended.
public enum CloseReason: Sendable, Hashable {
  /// The client said `exit`, after `shutdown` or without it.
  case exit(afterShutdown: Bool)
  /// The input came to its end, after `shutdown` or without it.
  case endOfInput(Framing?, afterShutdown: Bool)
  /// No further frame can be found.
  case broken(StreamError)
  /// The program asked for the end: a signal came, or the client's process is gone.
  case stopped
  /// Nobody reads the answers.
  case unreadable
  /// The conversation goes on in a new process, from here.
  case handedOff(StreamState, Stage)
}

/// How far a conversation has come.
public enum Stage: String, Sendable, Hashable {
  /// `initialize` has not been answered.
  case fresh
  /// `initialize` has been answered.
  case initialized
  /// `shutdown` has been answered.
  case shutDown

  /// Whether a request may be answered now.
  ///
  /// With headers `initialize` comes first, as with language servers; with lines it may be left out, so that one
  /// line from a shell is enough.
  func admit(_ method: String, framing: Framing?) throws(ProtocolError) {
    switch self {
    case .fresh:
      guard method == "initialize" || framing == .lines else { throw .outOfTurn(.notInitialized) }
    case .initialized:
      guard method != "initialize" else { throw .outOfTurn(.alreadyInitialized) }
    case .shutDown: throw .outOfTurn(.shutDown)
    }
  }
}
