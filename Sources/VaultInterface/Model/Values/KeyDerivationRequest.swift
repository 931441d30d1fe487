/// A choice of how the key of a vault is derived from its password.
public enum KeyDerivationRequest: Sendable, Hashable {
  /// PBKDF2-HMAC-SHA256 (RFC 8018); nil for 600,000 iterations.
  case pbkdf2(iterations: Int?)
  /// Argon2id (RFC 9106); nil for 3 passes over 64 MiB.
  case argon2id(iterations: Int?, memoryKiB: Int?)
}
