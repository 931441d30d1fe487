/// Refusing what is not answered when the connection is handed over: the next process gets neither what the client asked, which
/// may hold a password, nor anything of the answers.
extension Connection {
  /// Answers with an error, in place of answers that the client has not begun to read and to messages that wait for their turn.
  ///
  /// Answers are discarded because a client that does not read must not hold up the handover. The one to the request that leads
  /// to it is sent. A message without parameters goes to the next process, and so does the beginning of one that is half read.
  func refuseUnanswered() async {
    flush()
    let discarded = outputQueue.discardMessages()
    let waiting = refusesWaiting ? inputQueue.takeAll() : []
    guard !discarded.isEmpty || !waiting.isEmpty else { return }
    let error = await handler.errorForDiscardedAnswer()
    for answered in discarded {
      switch answered {
      case .nothing: break
      case .request(let id): write(answering: answered, Message.response(id: id, .failure(error)).write)
      case .batch(let identifiers):
        let errors = identifiers.map { Message.response(id: $0, .failure(error)).json }
        write(answering: answered, JSON.array(errors).write)
      }
    }
    for frame in waiting { await refuse(frame, error) }
  }

  private func refuse(_ frame: Frame, _ error: ResponseError) async {
    let content = Result { () throws(ProtocolError) in try frame.content }
    switch content {
    case .failure(let error): await send(failure(error, id: error.identifier))
    case .success(.message(let value)):
      let message = Result { () throws(ProtocolError) in try Message(value) }
      if let bytes = withoutParameters(message) {
        inputQueue.append(.message(bytes))
      } else if let response = await refusal(of: message, error) {
        await send(response)
      }
    case .success(.batch(let values)):
      var batch = Batch([], upTo: handler.limits.batch)
      for value in values {
        let message = Result { () throws(ProtocolError) in try Message(value) }
        if let response = await refusal(of: message, error) { _ = batch.add(response) }
      }
      if !batch.answers.isEmpty { write(answering: .batch(batch.answered), batch.write) }
    }
  }

  /// Returns the message for the next process; nil if it has parameters, was cancelled, or is a response.
  private func withoutParameters(_ message: Result<Message, ProtocolError>) -> [UInt8]? {
    guard let message = try? message.get() else { return nil }
    switch message {
    case .request(let id, _, let parameters):
      guard !inputQueue.isCancelled(id), parameters == nil || parameters == .object([]) else { return nil }
    case .notification(_, let parameters):
      guard parameters == nil || parameters == .object([]) else { return nil }
    case .response: return nil
    }
    return message.json.utf8
  }

  /// The answer to a message in place of its own; nil if it is no request.
  private func refusal(of message: Result<Message, ProtocolError>, _ error: ResponseError) async -> Message? {
    switch message {
    case .failure(let error): await failure(error, id: error.identifier)
    case .success(.request(let id, _, _)):
      inputQueue.forgetCancellation(of: id)
        ? await failure(.cancelled, id: id) : .response(id: id, .failure(error))
    case .success(.notification), .success(.response): nil
    }
  }
}
