import CGcrypt

/// libgcrypt, started once for the process.
///
/// Everything in this module starts the library by itself. A program still calls ``start()`` early, to fail
/// before it answers anything and to report whether secure memory is locked.
public struct CryptoLibrary: Sendable {
  /// The version of libgcrypt that is running, such as `1.10.1`.
  public let version: String

  /// Whether secure memory is kept out of swap. False where the limit of locked memory (`RLIMIT_MEMLOCK`) is under
  /// ``secureMemorySize``; everything still works.
  public let secureMemoryIsLocked: Bool

  /// The size of secure memory, in bytes. One ``VaultKeys`` takes about 5 KiB of it.
  public static let secureMemorySize = 256 * 1024

  /// Initializes libgcrypt once and returns the outcome. Safe from any thread.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt is older than 1.10.
  @discardableResult
  public static func start() throws(CryptoError) -> CryptoLibrary {
    try outcome.get()
  }

  private static let outcome = Result<CryptoLibrary, CryptoError> { () throws(CryptoError) in
    // The generator is chosen first: any other call selects libgcrypt's own, and a later choice is ignored.
    try check(cgcrypt_prefer_system_random(), .start)
    try check(cgcrypt_leave_fips_mode(), .start)
    guard let version = unsafe gcry_check_version("1.10.0") else {
      throw .libraryFailure(operation: .start, code: 0)
    }
    try check(cgcrypt_silence_secure_memory_warning(), .start)
    let isLocked = cgcrypt_start_secure_memory(UInt32(secureMemorySize)) == 0
    try check(cgcrypt_finish_initialization(), .start)
    return CryptoLibrary(version: unsafe String(cString: version), secureMemoryIsLocked: isLocked)
  }
}

/// An error of this module.
///
/// The cases are coarse on purpose: a reader learns *that* a seal does not open, never why, so that a forger learns
/// nothing from the difference. No case carries a secret.
public enum CryptoError: Error, Hashable, Sendable {
  /// A seal did not open: a wrong password or key, a changed byte, or a record that was moved to another place.
  case authenticationFailed
  /// Parameters of a key derivation, or a count of bytes, lie outside the written limits. Nothing was computed.
  case parametersOutOfRange
  /// Bytes do not follow the vault format.
  case malformed
  /// The secure memory of the process (``CryptoLibrary/secureMemorySize``) is used up.
  case secureMemoryExhausted
  /// libgcrypt is missing a feature, too old, or out of memory.
  case libraryFailure(operation: Operation, code: UInt32)

  /// The step in which libgcrypt failed; `code` beside it is its `gcry_err_code_t`.
  public enum Operation: String, Hashable, Sendable {
    /// Starting the library; a version before 1.10 fails with code 0.
    case start
    /// HMAC-SHA256.
    case messageAuthentication
    /// AES-256-GCM, other than a tag that does not match.
    case cipher
    /// PBKDF2 or Argon2id.
    case keyDerivation
  }

  /// Whether libgcrypt could not have the memory that it asked the system for, as for Argon2id.
  public var isLackOfMemory: Bool {
    guard case .libraryFailure(_, let code) = self else { return false }
    return code == GPG_ERR_ENOMEM.rawValue
  }
}

/// Turns a libgcrypt result into a thrown error. The low 16 bits hold the code, the rest says which library it was.
func check(_ result: UInt32, _ operation: CryptoError.Operation) throws(CryptoError) {
  let code = result & 0xFFFF
  guard code == 0 else { throw .libraryFailure(operation: operation, code: code) }
}
