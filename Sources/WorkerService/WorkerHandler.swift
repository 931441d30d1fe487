package import JSON
package import JSONRPC

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

  package func handle(_ notification: IncomingNotification) async -> (
    notifications: [any OutgoingNotification], handsOff: Bool
  ) {
    ([], false)
  }

  package func error(for error: ProtocolError) -> ResponseError {
    let (kind, message) = error.descriptor(guide: Self.guide)
    var data = [JSON.Member("kind", .string(kind))]
    if case .invalidParameters(let error) = error {
      data.append(.init("parameter", .string(error.parameter)))
    }
    return ResponseError(code: error.code, message: message, data: .object(data))
  }

  package func willEnd() -> [any OutgoingNotification] { [] }
}

extension ProtocolError {
  fileprivate func descriptor(guide: String) -> (kind: String, message: String) {
    switch self {
    case .malformedJSON: ("rpc.parseError", "The message is not JSON.")
    case .nestingTooDeep, .frameTooLarge, .invalidRequest, .lifecycle:
      ("rpc.invalidRequest", "The request is invalid at this point.")
    case .methodNotFound(let name): ("rpc.methodNotFound", "There is no method \(name).")
    case .invalidParameters(let error):
      ("rpc.invalidParameters", "\(error.parameter) is invalid; see \(guide).")
    case .answerTooLarge: ("rpc.responseTooLarge", "The response would be too long.")
    case .batchTooLarge: ("rpc.batchTooLarge", "The responses of the batch are too long.")
    case .cancelled: ("rpc.cancelled", "The request was cancelled.")
    case .internalError: ("rpc.internalError", "The program failed.")
    }
  }
}
