import JSON

/// What is answered while the message at hand goes on waiting.
extension Connection {
  /// Begins on the message whose turn is next, if it may pass the one at hand. One that may not holds all that stand behind
  /// it, so that they keep their order; a batch may not, and nothing passes one.
  func letPass() {
    guard !passable.isEmpty, batch == nil, pendingCloseReason == nil, outlet.count < Self.outputLimit,
      let message = inbox.takeMessage(of: passable)
    else { return }
    let task = Task {
      let (response, notifications) = await respond(to: .success(message))
      if let response { write(response.write) }
      for notification in notifications { send(notification) }
      passing = nil
      advance()
    }
    passing = (message.identifier, task)
  }
}

extension Message {
  /// The id of a request.
  fileprivate var identifier: RequestIdentifier? {
    if case .request(let id, _, _) = self { id } else { nil }
  }

  /// The method of a request or a notification.
  fileprivate var method: String? {
    switch self {
    case .request(_, let method, _), .notification(let method, _): method
    case .response: nil
    }
  }
}

extension Inbox {
  /// Takes the message whose turn is next, if it stands alone in its frame and is of one of these methods.
  mutating func takeMessage(of methods: Set<String>) -> Message? {
    guard let bytes = nextMessage(mayHold: methods), let value = try? JSONReader.read(bytes),
      let message = try? Message(value), let method = message.method, methods.contains(method)
    else { return nil }
    _ = takeFrame()
    return message
  }
}
