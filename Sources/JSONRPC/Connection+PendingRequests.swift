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

  /// Takes the responses among the frames that were just received. None waits for its turn, where it would hold back the messages
  /// behind it; one to a request that nobody waits for any more is ignored.
  func takeResponses() {
    for (id, result) in inputQueue.takeNew(\.response) { pendingRequests.answer(id, result) }
  }
}

extension Frame {
  /// The response that the frame is; nil for any other message, and for a batch.
  fileprivate var response: (RequestIdentifier, Result<JSON, ResponseError>)? {
    guard case .message(let bytes) = self, !bytes.contains(word: Self.method),
      let value = try? JSONReader.read(bytes), case .response(let id, let result) = try? Message(value)
    else { return nil }
    return (id, result)
  }

  private static let method = Array("\"method\"".utf8)
}
