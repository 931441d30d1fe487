import JSON

/// Requests to the client, as `window/showMessageRequest` of the Language Server Protocol is.
extension Connection {
  /// Sends a request to the client and waits for the response, which may come while a request of its own is answered.
  ///
  /// - Throws: `ResponseError`; ``PeerError/ended`` if the input ends, or the connection closes or is handed over, before;
  ///   ``PeerError/unexpectedAnswer(_:)``; `CancellationError` as soon as the task is cancelled, of which the client is told by
  ///   `$/cancelRequest`.
  package func ask<Request: OutgoingRequest>(_ request: Request) async throws -> Request.Response {
    try Task.checkCancellation()
    guard pendingCloseReason == nil, closeReason == nil, !inputQueue.hasEnded else { throw PeerError.ended }
    // Not a number: a response to a request of the process before this one must not match.
    let id = RequestIdentifier.string("server-\(UInt64.random(in: .min ... .max))")
    let answer = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if pendingRequests.isEmpty { inputQueue.beginResponses() }
        pendingRequests.add(id, continuation)
        write(Message.request(id: id, method: Request.method, parameters: request.parameters).write)
      }
    } onCancel: {
      Task { await self.cancelPending(id) }
    }
    do throws(ParameterError) {
      return try Request.Response.read(answer, at: "result")
    } catch {
      throw PeerError.unexpectedAnswer(error)
    }
  }

  private func cancelPending(_ id: RequestIdentifier) {
    guard pendingRequests.cancel(id) else { return }
    send(CancelRequest(id: id))
  }

  /// Passes on the responses among the frames that were just received.
  func takeResponses() {
    guard !pendingRequests.isEmpty else { return }
    for (id, result) in inputQueue.takeResponses() { pendingRequests.answer(id, result) }
  }
}

extension InputQueue {
  /// Starts to look for responses: only those that are received from now on count.
  mutating func beginResponses() {
    responsesExamined = frames.count
  }

  /// The responses among the frames received since the last call. The frames keep their places, where they are ignored.
  mutating func takeResponses() -> [(RequestIdentifier, Result<JSON, ResponseError>)] {
    var responses: [(RequestIdentifier, Result<JSON, ResponseError>)] = []
    for frame in frames[max(responsesExamined, next)...] {
      guard case .message(let bytes) = frame, !bytes.contains(word: Self.method),
        let value = try? JSONReader.read(bytes), case .response(let id, let result) = try? Message(value)
      else { continue }
      responses.append((id, result))
    }
    responsesExamined = frames.count
    return responses
  }

  private static let method = Array("\"method\"".utf8)
}
