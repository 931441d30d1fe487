import JSON

/// Messages that are answered while another one waits for the user or for another program.
extension Connection {
  /// Answers the next message out of order, if its method allows that. Any other message blocks those behind it;
  /// batches are always answered in order.
  func beginOutOfOrder() {
    guard !outOfOrderMethods.isEmpty, batch == nil, pendingCloseReason == nil,
      outputQueue.count < Self.outputLimit,
      let message = inputQueue.takeMessage(of: outOfOrderMethods)
    else { return }
    let task = Task {
      let (response, notifications) = await respond(to: .success(message))
      if let response { await send(response) }
      for notification in notifications { send(notification) }
      outOfOrderRequest = nil
      advance()
    }
    outOfOrderRequest = (message.identifier, task)
  }
}

extension Message {
  fileprivate var identifier: RequestIdentifier? {
    if case .request(let id, _, _) = self { id } else { nil }
  }

  fileprivate var method: String? {
    switch self {
    case .request(_, let method, _), .notification(let method, _): method
    case .response: nil
    }
  }
}

extension InputQueue {
  /// Takes the next message if it is not in a batch and has one of these methods.
  mutating func takeMessage(of methods: Set<String>) -> Message? {
    guard let bytes = nextMessage(mayHold: methods), let value = try? JSONReader.read(bytes),
      let message = try? Message(value), let method = message.method, methods.contains(method)
    else { return nil }
    _ = takeFrame()
    return message
  }
}
