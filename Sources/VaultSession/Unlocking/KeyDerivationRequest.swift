import VaultCrypto

/// A choice of how the key of a vault is derived from its password.
public enum KeyDerivationRequest: Sendable, Hashable {
  /// PBKDF2-HMAC-SHA256 (RFC 8018); nil for 600,000 iterations.
  case pbkdf2(iterations: Int?)
  /// Argon2id (RFC 9106); nil for 3 passes over 64 MiB.
  case argon2id(iterations: Int?, memoryKiB: Int?)

  /// Returns the derivation, checked against the limits of the vault format.
  func derivation() throws(CryptoError) -> KeyDerivation {
    let derivation: KeyDerivation =
      switch self {
      case .pbkdf2(let iterations): .pbkdf2(iterations: iterations ?? KeyDerivation.default.iterations)
      case .argon2id(let iterations, let memory):
        .argon2id(
          iterations: iterations ?? KeyDerivation.defaultArgon2id.iterations,
          memoryKiB: memory ?? KeyDerivation.defaultArgon2id.memoryKiB)
      }
    try derivation.validate()
    return derivation
  }
}
