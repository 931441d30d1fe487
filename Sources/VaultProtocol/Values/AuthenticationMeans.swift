public import JSONRPC

/// By what means a person shows that it is them.
public enum AuthenticationMeans: Sendable, Hashable {
  /// The master password.
  case password(String)
  /// A finger, on a device that is bound.
  case biometric

  private enum Method: String, CaseIterable, ParameterValue {
    case password, biometric
  }

  /// Takes the parameters `method` and `password`, of which a password must be there unless a finger is named.
  static func required(_ parameters: inout Parameters) throws(ParameterError) -> AuthenticationMeans {
    guard try isBiometric(&parameters) else { return .password(try parameters.required("password")) }
    return .biometric
  }

  /// Takes the same parameters.
  ///
  /// - Returns: nil where neither a password nor a finger is named.
  static func optional(_ parameters: inout Parameters) throws(ParameterError) -> AuthenticationMeans? {
    guard try isBiometric(&parameters) else {
      let password: String? = try parameters.optional("password")
      return password.map { .password($0) }
    }
    return .biometric
  }

  private static func isBiometric(_ parameters: inout Parameters) throws(ParameterError) -> Bool {
    guard try parameters.optional("method") == Method.biometric else { return false }
    let password: String? = try parameters.optional("password")
    guard password == nil else { throw ParameterError("password", .absenceBeside("method")) }
    return true
  }
}

/// Whether the original of an attachment is asked for, and what a person gives once more for it.
public struct OriginalRequest: Sendable {
  /// Whether the attachment is given without its watermark.
  public var isWanted: Bool
  /// By what means the person shows that it is them; nil where none was given.
  public var means: AuthenticationMeans?

  /// Takes the parameters `original`, `method` and `password`.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    isWanted = try parameters.optional("original") ?? false
    means = try AuthenticationMeans.optional(&parameters)
  }
}
