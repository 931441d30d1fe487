import JSON

/// Messages that are answered while another one waits for the user or for another program.
extension Connection {
  /// Starts to answer the next message if it may overtake the current one. A message that may not holds back all behind
  /// it. A batch never overtakes and is never overtaken.
  func beginOvertaking() {
    guard !overtakingMethods.isEmpty, batch == nil, pendingCloseReason == nil,
      outputQueue.count < Self.outputLimit,
      let message = inputQueue.takeMessage(of: overtakingMethods)
    else { return }
    let task = Task {
      let (response, notifications) = await respond(to: .success(message))
      if let response { await send(response) }
      for notification in notifications { send(notification) }
      overtaking = nil
      advance()
    }
    overtaking = (message.identifier, task)
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
