/// Answering messages one after another, each in a task of its own that can be cancelled.
extension Connection {
  /// Starts to answer the messages of a frame.
  func begin(_ frame: Frame) {
    do throws(ProtocolError) {
      switch try frame.content {
      case .message(let value): begin(.success(value))
      case .batch(let values):
        var batch = Batch(values, upTo: handler.limits.batch)
        guard let first = batch.next() else { return }
        self.batch = batch
        begin(.success(first))
      }
    } catch {
      begin(.failure(error))
    }
  }

  /// Starts to answer a message, or an error in its place.
  func begin(_ value: Result<JSON, ProtocolError>) {
    isBusy = true
    let message = value.flatMap { value in Result { () throws(ProtocolError) in try Message(value) } }
    let task = Task {
      let (response, notifications) = await respond(to: message)
      await deliver(response, notifications)
      running = nil
      isBusy = false
      advance()
    }
    if case .success(.request(let id, _, _)) = message { running = (id, task) }
  }

  func respond(to message: Result<Message, ProtocolError>) async -> (Message?, [any OutgoingNotification]) {
    switch message {
    case .failure(let error): return (await failure(error, id: error.identifier), [])
    case .success(.request(let id, let method, let parameters)):
      return await answer(IncomingRequest(id: id, method: method, parameters: parameters))
    case .success(.notification(let method, let parameters)):
      return (nil, await handle(IncomingNotification(method: method, parameters: parameters)))
    case .success(.response(let id, let result)):
      pendingRequests.answer(id, result)
      return (nil, [])
    }
  }

  /// Sends the answer to a message and its notifications, or adds them to those of its batch.
  private func deliver(_ response: Message?, _ notifications: [any OutgoingNotification]) async {
    guard batch != nil else {
      if let response { await send(response) }
      for notification in notifications { send(notification) }
      return
    }
    if let response, batch?.add(response) == false {
      _ = batch?.add(await failure(.answerTooLarge, id: response.answered))
    }
    batch?.add(notifications)
    guard let done = batch, done.isDone else { return }
    batch = nil
    if !done.answers.isEmpty { write(answering: .batch(done.answered), done.write) }
    for notification in done.notifications { send(notification) }
  }

  /// Sends an answer, or an error in place of one over ``answerLimit``.
  func send(_ response: Message) async {
    let answered = OutputQueue.Answered.request(response.answered)
    guard !write(upTo: Self.answerLimit, answering: answered, response.write) else { return }
    write(answering: answered, await failure(.answerTooLarge, id: response.answered).write)
  }

  func failure(_ error: ProtocolError, id: RequestIdentifier) async -> Message {
    .response(id: id, .failure(await handler.error(for: error)))
  }

  private func answer(_ request: IncomingRequest) async -> (Message?, [any OutgoingNotification]) {
    guard !inputQueue.forgetCancellation(of: request.id), !Task.isCancelled, pendingCloseReason != .stopped
    else {
      return (await failure(.cancelled, id: request.id), [])
    }
    guard batch?.isFull != true else { return (await failure(.batchTooLarge, id: request.id), []) }
    do {
      try stage.admit(request.method, framing: inputQueue.framing)
    } catch {
      return (await failure(error, id: request.id), [])
    }
    if request.method == "shutdown" {
      stage = .shutDown
      return (.response(id: request.id, .success(.null)), [])
    }

    let reply = await handler.answer(request)
    if request.method == "initialize", case .success = reply.result { stage = .initialized }
    if let handOff = reply.followUp.handOff {
      if batch == nil { outputQueue.keepWhatFollows() }
      self.handOff(handOff)
    }
    return (.response(id: request.id, reply.result), reply.followUp.notifications)
  }

  private func handle(_ notification: IncomingNotification) async -> [any OutgoingNotification] {
    switch notification.method {
    case "exit":
      requestClose(.exit(afterShutdown: stage == .shutDown))
      return []
    case "$/cancelRequest":
      // It took effect when it was received. From here on, the id may be used again.
      if let id = InputQueue.cancelledIdentifier(notification.parameters) {
        inputQueue.forgetCancellation(of: id)
      }
      return []
    default:
      guard stage == .initialized || stage == .fresh && inputQueue.framing == .lines else { return [] }
      let followUp = await handler.handle(notification)
      if let handOff = followUp.handOff { self.handOff(handOff) }
      return followUp.notifications
    }
  }
}
