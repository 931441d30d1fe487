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
