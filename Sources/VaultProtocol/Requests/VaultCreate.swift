public import JSONRPC

/// `vault/create`: makes the vault under a master password, or a demo vault, and opens it (R11, R22, L).
public struct VaultCreate: RequestType {
  /// The method's name.
  public static let method = "vault/create"
  /// What it gives.
  public typealias Answer = UnlockAnswer

  /// The master password, 8 characters at least; nil for a demo vault with the password known to all.
  public var password: String?
  /// How its key is derived; nil for the default.
  public var keyDerivation: KeyDerivationChoice?

  /// Whether a demo vault is wanted, in a temporary place and with sample cards.
  public var isDemo: Bool

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    isDemo = try parameters.optional("demo") ?? false
    password = isDemo ? try parameters.optional("password") : try parameters.required("password")
    keyDerivation = try parameters.optional("kdf")
  }
}
