public import JSON
public import JSONRPC

/// How the key that opens the vault is made from the password, as far as the client chooses it: `kdf`.
public struct KeyDerivationChoice: Sendable, Hashable, ParameterValue {
  /// The algorithms that may be chosen.
  public enum Algorithm: String, Sendable, CaseIterable, ParameterValue {
    /// RFC 8018, the default.
    case pbkdf2 = "pbkdf2-hmac-sha256"
    /// RFC 9106.
    case argon2id
  }

  /// The algorithm.
  public var algorithm: Algorithm
  /// Its number of iterations or passes; nil for the default.
  public var iterations: Int?
  /// Its memory in KiB, for Argon2id alone; nil for the default.
  public var memoryKiB: Int?

  /// Reads the object, with limits as the vault format sets them.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> KeyDerivationChoice {
    var members = try Parameters(value, at: path)
    let algorithm: Algorithm = try members.required("algorithm")
    let limits = algorithm == .pbkdf2 ? 100_000...10_000_000 : 1...64
    let iterations: Int? = try members.integer("iterations", in: limits)
    let memory: Int? =
      algorithm == .argon2id ? try members.integer("memoryKiB", in: 19_456...1_048_576) : nil
    try members.finish()
    return KeyDerivationChoice(algorithm: algorithm, iterations: iterations, memoryKiB: memory)
  }
}
