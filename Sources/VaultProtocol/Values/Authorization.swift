public import JSONRPC

/// What a person gives once more for what an unlocked vault alone does not allow.
public struct Authorization: Sendable {
  /// The master password; nil where none was given.
  public var password: String?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterFault) {
    password = try parameters.optional("password")
  }
}
