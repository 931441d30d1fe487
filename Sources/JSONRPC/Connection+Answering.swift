import JSON

/// How messages are answered: each by a task of its own, so that it can be taken back, and one after another.
extension Connection {
  /// Reads a frame and begins on what it holds.
  func begin(_ frame: Frame) {
    guard case .message(let bytes) = frame else { return begin(.failure(.frameTooLarge)) }
    do {
      switch try JSONReader.read(bytes) {
      case .array([]): begin(.failure(.invalidRequest(id: .null, .emptyBatch)))
      case .array(let values) where values.count > Self.batchLimit:
        begin(.failure(.invalidRequest(id: .null, .batchTooLong)))
      case .array(let values):
        var batch = Batch(values)
        guard let first = batch.next() else { return }
        self.batch = batch
        begin(.success(first))
      case let value: begin(.success(value))
      }
    } catch {
      begin(.failure(error == .nestingTooDeep ? .nestingTooDeep : .malformedJSON))
    }
  }

  /// Begins on one message, or on what stands in the place of one.
  func begin(_ value: Result<JSON, ProtocolError>) {
    isBusy = true
    let message = value.flatMap { value in Result { () throws(ProtocolError) in try Message(value) } }
    let task = Task {
      let (response, notifications) = await respond(to: message)
      deliver(response, notifications)
      running = nil
      isBusy = false
      advance()
    }
    if case .success(.request(let id, _, _)) = message { running = (id, task) }
  }

  func respond(to message: Result<Message, ProtocolError>) async -> (Message?, [any OutgoingNotification]) {
    switch message {
    case .failure(let fault): (await failure(fault, id: fault.identifier), [])
    case .success(.request(let id, let method, let parameters)):
      await answer(IncomingRequest(id: id, method: method, parameters: parameters))
    case .success(.notification(let method, let parameters)):
      (nil, await note(IncomingNotification(method: method, parameters: parameters)))
    case .success(.response): (nil, [])
    }
  }

  /// Sends what a message gave, or adds it to what its batch gives.
  private func deliver(_ response: Message?, _ notifications: [any OutgoingNotification]) {
    guard batch != nil else {
      if let response { write(response.write) }
      for notification in notifications { send(notification) }
      return
    }
    batch?.add(response?.json, notifications)
    guard let outcome = batch?.outcome else { return }
    batch = nil
    if let answer = outcome.answer { write(answer.write) }
    for notification in outcome.notifications { send(notification) }
  }

  private func failure(_ fault: ProtocolError, id: RequestIdentifier) async -> Message {
    .response(id: id, .failure(await handler.error(for: fault)))
  }

  private func answer(_ request: IncomingRequest) async -> (Message?, [any OutgoingNotification]) {
    guard !inbox.forgetCancellation(of: request.id), !Task.isCancelled, pendingCloseReason != .stopped else {
      return (await failure(.cancelled, id: request.id), [])
    }
    do {
      try stage.admit(request.method, framing: inbox.framing)
    } catch {
      return (await failure(error, id: request.id), [])
    }
    if request.method == "shutdown" {
      stage = .shutDown
      return (.response(id: request.id, .success(.null)), [])
    }

    let reply = await handler.answer(request)
    if request.method == "initialize", case .success = reply.result { stage = .initialized }
    if reply.handsOff { want(.handedOff(StreamState(), stage)) }
    return (.response(id: request.id, reply.result), reply.notifications)
  }

  private func note(_ notification: IncomingNotification) async -> [any OutgoingNotification] {
    switch notification.method {
    case "exit":
      want(.exit(afterShutdown: stage == .shutDown))
      return []
    case "$/cancelRequest":
      // It was heeded when it came in; here it only marks the end of what it could have meant.
      if let id = Inbox.cancelledIdentifier(notification.parameters) { inbox.forgetCancellation(of: id) }
      return []
    default:
      guard stage == .initialized || stage == .fresh && inbox.framing == .lines else { return [] }
      let (notifications, handsOff) = await handler.note(notification)
      if handsOff { want(.handedOff(StreamState(), stage)) }
      return notifications
    }
  }
}
