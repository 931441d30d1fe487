import JSON

/// What can be wrong with a message before anybody looks at what it asks for.
///
/// The room knows the numbers of the specification and leaves the words to the program, which has languages.
public enum ProtocolError: Error, Sendable, Hashable {
  /// The frame is not JSON.
  case malformedJSON
  /// Arrays and objects lie more than ``JSONReader/nestingLimit`` deep.
  case nestingTooDeep
  /// The frame is longer than ``Framing/frameLimit``.
  case frameTooLarge
  /// The JSON is no message of JSON-RPC 2.0; the id is null where none can be made out.
  case invalidRequest(id: RequestIdentifier, MessageError)
  /// The conversation has not been initialized, or has been shut down, or is being initialized again.
  case outOfTurn(LifecycleError)
  /// There is no such method.
  case methodNotFound(String)
  /// A parameter is missing, unknown or not what is expected.
  case invalidParameters(ParameterError)
  /// The client took the request back.
  case cancelled
  /// The program failed in a way that nobody foresaw.
  case internalError

  /// What keeps a JSON value from being a message.
  public enum MessageError: String, Sendable, Hashable {
    /// It is neither an object nor an array of objects.
    case notAnObject
    /// It is an array with nothing in it.
    case emptyBatch
    /// It is an array with more than ``Connection/batchLimit`` messages.
    case batchTooLong
    /// A member comes twice.
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

  /// What a conversation's stage forbids.
  public enum LifecycleError: String, Sendable, Hashable {
    /// With headers, `initialize` comes first.
    case notInitialized
    /// `initialize` was answered before.
    case alreadyInitialized
    /// After `shutdown` only `exit` follows.
    case shutDown
  }

  /// The number that the specification gives it: JSON-RPC 2.0, section 5.1, and LSP 3.17 for -32002 and -32800.
  public var code: Int {
    switch self {
    case .malformedJSON: -32700
    case .nestingTooDeep, .frameTooLarge, .invalidRequest: -32600
    case .outOfTurn(.notInitialized): -32002
    case .outOfTurn: -32600
    case .methodNotFound: -32601
    case .invalidParameters: -32602
    case .cancelled: -32800
    case .internalError: -32603
    }
  }

  /// The id to answer with, where the fault knows it.
  var identifier: RequestIdentifier {
    if case .invalidRequest(let id, _) = self { id } else { .null }
  }
}
