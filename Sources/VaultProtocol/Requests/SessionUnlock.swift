public import JSONRPC

/// `session/unlock`: opens the vault with the master password.
///
/// A vault that is open stays open; the password is checked all the same.
public struct SessionUnlock: RequestType {
  /// The method's name.
  public static let method = "session/unlock"
  /// What it gives.
  public typealias Answer = UnlockAnswer

  /// With what a vault can be opened.
  public enum Means: String, Sendable, CaseIterable, ParameterValue {
    /// The master password.
    case password
  }

  /// The master password.
  public var password: String
  /// With what the vault is to be opened.
  public var means: Means

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterFault) {
    password = try parameters.required("password")
    means = try parameters.optional("method") ?? .password
  }
}
