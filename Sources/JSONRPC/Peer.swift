public import JSON
public import EventLoop

/// The asking side of a conversation: another program that answers our requests and tells us things, one message a line.
///
/// Requests go out as they are asked, and their answers may come in any order. A task that is cancelled takes its
/// request back with `$/cancelRequest` and does not wait for what becomes of it. Who owns the pipes hands in what came
/// with ``receive(_:)``.
///
/// ```swift
/// let peer = Peer(on: loop, write: { bytes in … }, heed: { notification in … })
/// let status = try await peer.ask(DesktopStatus())
/// ```
public actor Peer {
  /// The loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private let write: @Sendable ([UInt8]) -> Void
  private let heed: @Sendable (IncomingNotification) -> Void
  private var reader = FrameReader()
  private var isOpen = true
  private var lastIdentifier = 0
  private var waiting: [RequestIdentifier: CheckedContinuation<JSON, any Error>] = [:]

  /// A conversation at its beginning.
  ///
  /// - Parameters:
  ///   - write: sends bytes to the program; called on the loop's thread.
  ///   - heed: takes what the program tells, in order and on the loop's thread.
  public init(
    on loop: EventLoop, write: @escaping @Sendable ([UInt8]) -> Void,
    heed: @escaping @Sendable (IncomingNotification) -> Void = { _ in }
  ) {
    self.loop = loop
    self.write = write
    self.heed = heed
  }

  /// Asks the program for something.
  ///
  /// - Throws: `ResponseError` for what the program refuses, ``PeerError`` where it does not answer as it should,
  ///   `CancellationError` as soon as the task is cancelled.
  public func ask<Request: OutgoingRequest>(_ request: Request) async throws -> Request.Answer {
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
      Task { await takeBack(id) }
    }
    do throws(ParameterError) {
      return try Request.Answer.read(answer, at: "result")
    } catch {
      throw PeerError.unexpectedAnswer(error)
    }
  }

  /// Tells the program something.
  public func tell(_ notification: any OutgoingNotification) {
    send(notification.message)
  }

  /// Takes in what the program wrote.
  ///
  /// - Returns: whether it can be followed; where it cannot, the conversation has ended.
  @discardableResult public func receive(_ bytes: [UInt8]) -> Bool {
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

  /// Ends the conversation: the program is gone, or nobody wants it any more. What still waits for an answer fails with
  /// ``PeerError/ended``.
  public func end() {
    guard isOpen else { return }
    isOpen = false
    let waiting = waiting
    self.waiting = [:]
    for continuation in waiting.values { continuation.resume(throwing: PeerError.ended) }
  }

  private func takeBack(_ id: RequestIdentifier) {
    guard let continuation = waiting.removeValue(forKey: id) else { return }
    tell(CancelRequest(id: id))
    continuation.resume(throwing: CancellationError())
  }

  private func send(_ message: Message) {
    guard isOpen else { return }
    write(message.json.utf8 + [0x0A])
  }

  private func take(_ message: Message) {
    switch message {
    case .response(let id, .success(let result)): waiting.removeValue(forKey: id)?.resume(returning: result)
    case .response(let id, .failure(let error)): waiting.removeValue(forKey: id)?.resume(throwing: error)
    case .notification(let method, let parameters):
      heed(IncomingNotification(method: method, parameters: parameters))
    case .request: break
    }
  }
}

/// How another program does not answer.
public enum PeerError: Error, Sendable, Hashable {
  /// It ended the conversation, or said what is no message.
  case ended
  /// Its answer has not the form that was expected.
  case unexpectedAnswer(ParameterError)
}

/// A request that goes to another program.
public protocol OutgoingRequest: Sendable {
  /// What the program gives.
  associatedtype Answer: ParameterValue

  /// The method's name.
  static var method: String { get }

  /// The parameters, by name; nil where there are none.
  var parameters: JSON? { get }
}

extension Nothing: ParameterValue {
  /// Reads an answer that has nothing to say, whatever it says.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> Nothing { Nothing() }
}

/// Takes a request back (Language Server Protocol 3.17).
private struct CancelRequest: OutgoingNotification {
  static let method = "$/cancelRequest"
  let id: RequestIdentifier
  var json: JSON { ["id": id.json] }
}
