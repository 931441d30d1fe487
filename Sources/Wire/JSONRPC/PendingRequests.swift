/// Requests to a client that wait for its responses.
struct PendingRequests {
  private var waiting: [RequestIdentifier: CheckedContinuation<JSON, any Error>] = [:]

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ id: RequestIdentifier, _ continuation: CheckedContinuation<JSON, any Error>) {
    waiting[id] = continuation
  }

  /// Passes a response to the task that waits for it. Responses to unknown requests, such as those of a replaced
  /// process, are ignored.
  mutating func answer(_ id: RequestIdentifier, _ result: Result<JSON, ResponseError>) {
    waiting.removeValue(forKey: id)?.resume(with: result.mapError { $0 })
  }

  /// Ends the wait for a response.
  ///
  /// - Returns: whether there was one.
  mutating func cancel(_ id: RequestIdentifier) -> Bool {
    guard let continuation = waiting.removeValue(forKey: id) else { return false }
    continuation.resume(throwing: CancellationError())
    return true
  }

  /// Ends all with ``PeerError/ended``.
  mutating func end() {
    for continuation in waiting.values { continuation.resume(throwing: PeerError.ended) }
    waiting = [:]
  }
}

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
