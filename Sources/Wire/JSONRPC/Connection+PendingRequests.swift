/// Requests to the client, as `window/showMessageRequest` of the Language Server Protocol is.
extension Connection {
  /// Sends a request to the client and waits for the response, which is handled in its turn: behind what the client sent before,
  /// but ahead of a request that waits (``observeMessages(matching:passing:_:)``).
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
}
