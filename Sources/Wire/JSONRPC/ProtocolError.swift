/// An error that JSON-RPC and the lifecycle define. The program supplies the text of the message.
package enum ProtocolError: Error, Sendable, Hashable {
  /// The frame is not JSON.
  case malformedJSON
  /// Arrays and objects lie more than ``JSONReader/nestingLimit`` deep.
  case nestingTooDeep
  /// The frame is longer than ``ConnectionLimits/message``.
  case frameTooLarge
  /// The JSON is not a JSON-RPC 2.0 message; the id is null if it is not valid.
  case invalidRequest(id: RequestIdentifier, MessageError)
  case lifecycle(LifecycleError)
  case methodNotFound(String)
  case invalidParameters(ParameterError)
  /// The answer would be longer than ``Connection/answerLimit``.
  case answerTooLarge
  /// The answers to the requests before it in the batch have reached ``ConnectionLimits/batch``; it was not begun.
  case batchTooLarge
  case cancelled
  /// The program failed unexpectedly.
  case internalError

  /// Why a JSON value is not a message.
  package enum MessageError: String, Sendable, Hashable {
    /// It is neither an object nor an array of objects.
    case notAnObject
    case emptyBatch
    /// It is an array with more than ``Connection/batchLimit`` messages.
    case batchTooLong
    /// A member is repeated.
    case memberTwice
    /// `jsonrpc` is not `"2.0"`.
    case version
    /// `method` is not a string, or missing where there is no answer either.
    case method
    /// `params` is neither an object nor an array.
    case parameters
    /// `id` is not a string, a number or null.
    case identifier
  }

  /// Why a request is not allowed at this stage of the lifecycle.
  package enum LifecycleError: String, Sendable, Hashable {
    /// With headers, `initialize` comes first.
    case notInitialized
    /// `initialize` was answered before.
    case alreadyInitialized
    /// After `shutdown` only `exit` follows.
    case shutDown
  }

  /// The name of its row in ``ErrorKind/rpc``.
  package var kind: String {
    switch self {
    case .malformedJSON: "rpc.parseError"
    case .lifecycle(.notInitialized): "rpc.notInitialized"
    case .invalidRequest, .lifecycle: "rpc.invalidRequest"
    case .methodNotFound: "rpc.methodNotFound"
    case .invalidParameters: "rpc.invalidParameters"
    case .answerTooLarge: "rpc.responseTooLarge"
    case .nestingTooDeep, .frameTooLarge, .batchTooLarge, .cancelled, .internalError: "rpc.\(self)"
    }
  }

  package var row: ErrorKind? { ErrorKind.rpc.first { $0.name == kind } }
  package var code: Int { row?.code ?? -32603 }

  /// The id of the answer.
  var identifier: RequestIdentifier {
    if case .invalidRequest(let id, _) = self { id } else { .null }
  }
}
