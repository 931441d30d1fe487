public import JSONRPC

/// `session/lock`: locks the vault now (sign out).
public struct SessionLock: RequestType {
  /// The method's name.
  public static let method = "session/lock"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// Nothing to say.
  public typealias Answer = Nothing
}
