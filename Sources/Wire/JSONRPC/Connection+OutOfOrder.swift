/// The messages that are handled while a request waits for the user or for another program.
package enum Passing: Sendable {
  /// Those of these methods. Any other, a batch and what waits already hold back all behind them.
  case methods(Set<String>)
  /// All but those of these methods, batches and invalid messages, which end the wait: behind them may be the response that
  /// the request waits for.
  case allBut(Set<String>)

  var includesWaiting: Bool {
    if case .allBut = self { true } else { false }
  }

  func includes(_ method: String) -> Bool {
    switch self {
    case .methods(let methods): methods.contains(method)
    case .allBut(let methods): !methods.contains(method)
    }
  }
}

extension Connection {
  /// Handles the next message out of order, if the request that waits allows that. Batches are always answered in order.
  func beginOutOfOrder() {
    guard let passing, pendingCloseReason == nil else { return }
    if batch?.isDone != false { takeResponses() }
    guard !hasUnread else { return }
    guard batch == nil, let message = inputQueue.takeMessage(passing) else {
      let holds = batch?.isDone == false || !inputQueue.isEmpty
      if holds, passing.includesWaiting { endObservation(inputQueue.firstMessage) }
      return
    }
    let task = Task {
      let (response, notifications) = await respond(to: .success(message))
      if let response { await send(response) }
      for notification in notifications { send(notification) }
      outOfOrderRequest = nil
      advance()
    }
    outOfOrderRequest = (message.identifier, task)
  }

  /// Takes the responses at the front of the queue. One to a request that nobody waits for any more is ignored.
  private func takeResponses() {
    while let (id, result) = inputQueue.takeResponse() { pendingRequests.answer(id, result) }
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
  /// The next message; nil if it is in a batch or invalid.
  fileprivate var firstMessage: Message? {
    guard case .message(let bytes)? = first, let value = try? JSONReader.read(bytes) else { return nil }
    return try? Message(value)
  }

  /// Takes the next message if it may pass and was not looked at before.
  fileprivate mutating func takeMessage(_ passing: Passing) -> Message? {
    guard holdFirst(), let message = firstMessage, let method = message.method, passing.includes(method)
    else { return nil }
    _ = takeFrame()
    return message
  }

  /// Takes the next message if it is a response.
  fileprivate mutating func takeResponse() -> (RequestIdentifier, Result<JSON, ResponseError>)? {
    guard let first, first.mayBeResponse, case .response(let id, let result) = firstMessage else {
      return nil
    }
    takeFirstKeepingHold()
    return (id, result)
  }
}
