public import JSONRPC

/// `vault/changePassword`: a new master password in place of the old one, which must be right (R11).
public struct VaultChangePassword: RequestType {
  /// The method's name.
  public static let method = "vault/changePassword"
  /// Nothing to say.
  public typealias Answer = Nothing

  /// The password so far.
  public var oldPassword: String
  /// The password from now on, 8 characters at least.
  public var newPassword: String
  /// How its key is derived; nil for the way that the old one's was.
  public var keyDerivation: KeyDerivationChoice?
  /// Whether bound devices lose their slots.
  public var dropsDevices: Bool

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    oldPassword = try parameters.required("oldPassword")
    newPassword = try parameters.required("newPassword")
    keyDerivation = try parameters.optional("kdf")
    dropsDevices = try parameters.optional("dropDevices") ?? false
  }
}
