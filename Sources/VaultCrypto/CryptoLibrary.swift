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
