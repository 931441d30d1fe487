/// The client side of a connection to another program, with one message per line.
///
/// Answers may come in any order. A task that is cancelled sends `$/cancelRequest` and does not wait for the answer. The
/// owner of the pipes passes on what it reads with ``receive(_:)``.
///
/// ```swift
/// let peer = Peer(on: loop, write: { bytes in … }, onNotification: { notification in … })
/// let status = try await peer.ask(DesktopStatus())
/// ```
package actor Peer {
  /// The loop's thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private let write: @Sendable ([UInt8]) -> Void
  private let onNotification: @Sendable (IncomingNotification) -> Void
  private var reader = FrameReader()
  private var isOpen = true
  private var lastIdentifier = 0
  /// The answer to a request of another peer.
  private var inherited: Result<JSON, any Error>?
  private var waiting: [RequestIdentifier: CheckedContinuation<JSON, any Error>] = [:]

  /// - Parameters:
  ///   - write: sends bytes to the program; called on the loop's thread.
  ///   - onNotification: receives notifications, in order and on the loop's thread.
  package init(
    on loop: EventLoop, write: @escaping @Sendable ([UInt8]) -> Void,
    onNotification: @escaping @Sendable (IncomingNotification) -> Void = { _ in }
  ) {
    self.loop = loop
    self.write = write
    self.onNotification = onNotification
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Throws: `ResponseError`, ``PeerError``, and `CancellationError` as soon as the task is cancelled.
  package func ask<Request: OutgoingRequest>(_ request: Request) async throws -> Request.Response {
    try Task.checkCancellation()
    guard isOpen else { throw PeerError.ended }
    lastIdentifier += 1
    let id = RequestIdentifier.number(JSON.Number(lastIdentifier))
    let answer = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[id] = continuation
        send(.request(id: id, method: Request.method, parameters: request.parameters))
      }
    } onCancel: {
      Task { await cancel(id) }
    }
    return try read(answer, Request.self)
  }

  /// Waits for the answer to the only request that another peer sent over the connection. It may have come.
  ///
  /// - Throws: `ResponseError`, ``PeerError``.
  package func resume<Request: OutgoingRequest>(_ request: Request.Type) async throws -> Request.Response {
    lastIdentifier += 1
    if let inherited { return try read(inherited.get(), request) }
    guard isOpen else { throw PeerError.ended }
    return try read(
      try await withCheckedThrowingContinuation { waiting[.number(JSON.Number(lastIdentifier))] = $0 },
      request)
  }

  private func read<Request: OutgoingRequest>(
    _ answer: JSON, _ request: Request.Type
  ) throws(PeerError) -> Request.Response {
    do throws(ParameterError) {
      return try Request.Response.read(answer, at: "result")
    } catch {
      throw PeerError.unexpectedAnswer(error)
    }
  }

  /// Sends a request whose answer nobody waits for.
  package func begin<Request: OutgoingRequest>(_ request: Request) {
    lastIdentifier += 1
    send(
      .request(
        id: .number(JSON.Number(lastIdentifier)), method: Request.method, parameters: request.parameters))
  }

  /// Sends a notification.
  package func notify(_ notification: any OutgoingNotification) {
    send(notification.message)
  }

  /// Processes output of the program.
  ///
  /// - Returns: whether the connection is still open; malformed output closes it.
  @discardableResult package func receive(_ bytes: [UInt8]) -> Bool {
    reader.append(bytes)
    do {
      while isOpen, let frame = try reader.next() {
        guard case .message(let bytes) = frame else { throw PeerError.ended }
        take(try Message(JSONReader.read(bytes)))
      }
    } catch {
      end()
    }
    return isOpen
  }

  /// Closes the connection. Pending requests fail with ``PeerError/ended``.
  package func end() {
    guard isOpen else { return }
    isOpen = false
    let waiting = waiting
    self.waiting = [:]
    for continuation in waiting.values { continuation.resume(throwing: PeerError.ended) }
  }

  private func cancel(_ id: RequestIdentifier) {
    guard let continuation = waiting.removeValue(forKey: id) else { return }
    notify(CancelRequest(id: id))
    continuation.resume(throwing: CancellationError())
  }

  private func send(_ message: Message) {
    guard isOpen else { return }
    write(message.json.utf8 + [0x0A])
  }

  private func take(_ message: Message) {
    switch message {
    case .response(let id, let result):
      let result = result.mapError { $0 as any Error }
      if lastIdentifier == 0 { inherited = result }
      waiting.removeValue(forKey: id)?.resume(with: result)
    case .notification(let method, let parameters):
      onNotification(IncomingNotification(method: method, parameters: parameters))
    case .request: break
    }
  }
}

/// Why a request to another program has no valid answer.
package enum PeerError: Error, Sendable, Hashable {
  /// The connection was closed, or the program sent something that is not a message.
  case ended
  case unexpectedAnswer(ParameterError)
}

/// A request to another program.
package protocol OutgoingRequest: Sendable {
  associatedtype Response: ParameterValue

  static var method: String { get }

  var parameters: JSON? { get }
}

/// Cancels a request (Language Server Protocol 3.17).
struct CancelRequest: OutgoingNotification {
  static let method = "$/cancelRequest"
  let id: RequestIdentifier
  var json: JSON { ["id": id.json] }
}
