public import JSONRPC

/// `session/unlock`: opens the vault with the master password, or with a finger.
///
/// A vault that is open stays open; the password or the finger is checked all the same.
public struct SessionUnlock: RequestType {
  /// The method's name.
  public static let method = "session/unlock"
  /// What it gives.
  public typealias Answer = UnlockAnswer

  /// With what a vault is opened.
  public enum Means: Sendable, Hashable {
    /// The master password.
    case password(String)
    /// A finger, on a device that is bound.
    case biometric
  }

  /// With what the vault is to be opened.
  public var means: Means

  private enum Method: String, CaseIterable, ParameterValue {
    case password, biometric
  }

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterFault) {
    switch try parameters.optional("method") ?? Method.password {
    case .password: means = .password(try parameters.required("password"))
    case .biometric:
      let password: String? = try parameters.optional("password")
      guard password == nil else { throw ParameterFault("password", .absenceBeside("method")) }
      means = .biometric
    }
  }
}
