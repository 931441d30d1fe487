public import JSONRPC

/// `vault/delete`: removes the vault for good, after the password and the file's name as confirmation.
public struct VaultDelete: RequestType {
  /// The method's name.
  public static let method = "vault/delete"
  /// Nothing to say.
  public typealias Answer = Nothing

  /// The master password.
  public var password: String
  /// The name of the vault's file, without its directory.
  public var confirmation: String

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    password = try parameters.required("password")
    confirmation = try parameters.required("confirm")
  }
}
