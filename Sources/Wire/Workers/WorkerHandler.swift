import CLinux
import Glibc

/// Answers the requests of the vault's process in a program that it starts, one after another. Such a program takes no notifications.
package protocol WorkerHandler: MessageHandler, Actor {
  /// The document about the program's requests, such as `protocol/DESKTOP.md`, for messages.
  static var guide: String { get }

  /// Returns the result of a request; nil if there is no such method.
  ///
  /// - Throws: ``ParameterError``; what ``response(to:)`` knows.
  func result(_ request: IncomingRequest) async throws -> JSON?

  /// Returns the answer for an error of the program's own; nil for any other.
  func response(to error: any Error) -> ResponseError?
}

extension WorkerHandler {
  package func answer(_ request: IncomingRequest) async -> Reply {
    do {
      guard let result = try await result(request) else {
        return Reply(.failure(await self.error(for: .methodNotFound(request.method))))
      }
      return Reply(.success(result))
    } catch let error as ParameterError {
      return Reply(.failure(await self.error(for: .invalidParameters(error))))
    } catch {
      if let response = response(to: error) { return Reply(.failure(response)) }
      return Reply(.failure(await self.error(for: .internalError)))
    }
  }

  package func handle(_ notification: IncomingNotification) -> FollowUp { FollowUp() }

  package func error(for error: ProtocolError) -> ResponseError {
    var data = [JSON.Member("kind", .string(error.kind))]
    var word = "The request is invalid at this point."
    if case .methodNotFound(let name) = error { word = name }
    if case .invalidParameters(let error) = error {
      data.append(.init("parameter", .string(error.parameter)))
      word = "\(error.parameter) is invalid; see \(Self.guide)."
    }
    let message = error.row?.message(reason: nil, ["problem": (word, word), "method": (word, word)]).english
    return ResponseError(code: error.code, message: message ?? error.kind, data: .object(data))
  }

  package func willEnd() -> [any OutgoingNotification] { [] }
}

extension Connection {
  /// Stops the connection on a signal that ends the process.
  ///
  /// - Throws: `SystemError` if signals cannot be received.
  package nonisolated func stopOnSignal(on loop: EventLoop) throws(SystemError) {
    try loop.onSignal { self.assumeIsolated { $0.stop() } }
  }

  /// Stops the connection as soon as standard input is closed, even during a request: nobody is there to read the answer.
  ///
  /// - Parameter mayStop: is called before; false lets the request that runs go on.
  /// - Throws: `SystemError` if there is no descriptor left to watch it.
  package nonisolated func stopOnHangup(
    on loop: EventLoop, mayStop: @escaping @Sendable () -> Bool = { true }
  ) throws(SystemError) {
    let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    loop.watch(descriptor, for: .hangingUp) {
      loop.unwatch(descriptor)
      if mayStop() { self.assumeIsolated { $0.stop() } }
    }
  }
}

/// Sends notifications to the vault's process. Used on the loop's thread only.
package final class NotificationSender: @unchecked Sendable {
  /// Set later: the connection is created after the objects that send notifications.
  package var connection: Connection?

  package init() {}

  package func send(_ notification: any OutgoingNotification) {
    connection?.assumeIsolated { $0.send(notification) }
  }
}
