public import JSONRPC

/// `session/unlock`: opens the vault with the master password, or with a finger.
///
/// A vault that is open stays open; the password or the finger is checked all the same.
public struct SessionUnlock: RequestType {
  /// The method's name.
  public static let method = "session/unlock"
  /// What it gives.
  public typealias Answer = UnlockAnswer

  /// With what the vault is to be opened.
  public var means: AuthenticationMeans

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    means = try AuthenticationMeans.required(&parameters)
  }
}
