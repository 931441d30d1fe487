import VaultCrypto
import VaultInterface

extension KeyDerivationRequest {
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
