public import JSONRPC

/// `vault/create`: makes the vault under a master password and opens it (R11, R22).
public struct VaultCreate: RequestType {
  /// The method's name.
  public static let method = "vault/create"
  /// What it gives.
  public typealias Answer = UnlockAnswer

  /// The master password, 8 characters at least.
  public var password: String
  /// How its key is derived; nil for the default.
  public var keyDerivation: KeyDerivationChoice?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterFault) {
    password = try parameters.required("password")
    keyDerivation = try parameters.optional("kdf")
  }
}
