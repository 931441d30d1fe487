package import JSON

/// An error that JSON-RPC and the lifecycle define. The program supplies the text of the message.
package enum ProtocolError: Error, Sendable, Hashable {
  /// The frame is not JSON.
  case malformedJSON
  /// Arrays and objects lie more than ``JSONReader/nestingLimit`` deep.
  case nestingTooDeep
  /// The frame is longer than ``Framing/frameLimit``.
  case frameTooLarge
  /// The JSON is not a JSON-RPC 2.0 message; the id is null if it is not valid.
  case invalidRequest(id: RequestIdentifier, MessageError)
  case lifecycle(LifecycleError)
  case methodNotFound(String)
  case invalidParameters(ParameterError)
  /// The answer would be longer than ``Connection/answerLimit``.
  case answerTooLarge
  /// The answers to the requests before it in the batch have reached ``Connection/answerLimit``; it was not begun.
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

  /// The code by JSON-RPC 2.0, section 5.1, or LSP 3.17 for -32002, -32803 and -32800.
  package var code: Int {
    switch self {
    case .malformedJSON: -32700
    case .nestingTooDeep, .frameTooLarge, .invalidRequest: -32600
    case .lifecycle(.notInitialized): -32002
    case .lifecycle: -32600
    case .methodNotFound: -32601
    case .invalidParameters: -32602
    case .answerTooLarge, .batchTooLarge: -32803
    case .cancelled: -32800
    case .internalError: -32603
    }
  }

  /// The id of the answer.
  var identifier: RequestIdentifier {
    if case .invalidRequest(let id, _) = self { id } else { .null }
  }
}
