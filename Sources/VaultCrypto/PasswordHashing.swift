import CGcrypt
import Glibc

/// PBKDF2 with HMAC-SHA256 (RFC 8018) in its general form; ``KeyDerivation`` sets the limits.
package enum PBKDF2 {
  /// Derives `count` bytes.
  package static func derive(
    from password: SecretBytes, salt: [UInt8], iterations: Int, count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard let iterations = UInt(exactly: iterations) else { throw .parametersOutOfRange }
    return try SecretBytes(count: count) { (output) throws(CryptoError) in
      let result = unsafe withPlainMemory(for: password, count: count) { password, key in
        let result = unsafe salt.withUnsafeBytes { salt in
          unsafe gcry_kdf_derive(
            password.baseAddress, password.count, Int32(GCRY_KDF_PBKDF2.rawValue),
            Int32(GCRY_MD_SHA256.rawValue), salt.baseAddress, salt.count, iterations, key.count,
            key.baseAddress)
        }
        output.copy(unsafe UnsafeRawBufferPointer(key).bytes, at: 0)
        return result
      }
      try check(result, .keyDerivation)
    }
  }

  /// Calls `body` with a copy of the password and space for the key outside of secure memory; wipes both.
  ///
  /// With either in secure memory libgcrypt takes and frees a piece of that memory in each iteration, which makes the
  /// derivation take 1.5 times as long. It costs an attacker nothing more, so the time is better spent on iterations.
  private static func withPlainMemory(
    for password: SecretBytes, count: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> gcry_error_t
  ) -> gcry_error_t {
    unsafe withUnsafeTemporaryAllocation(byteCount: password.count + max(count, 1), alignment: 1) { memory in
      defer { if let start = memory.baseAddress { unsafe explicit_bzero(start, memory.count) } }
      password.withSpan { secret in
        unsafe secret.withUnsafeBytes { secret in unsafe memory.copyMemory(from: secret) }
      }
      let copy = unsafe UnsafeRawBufferPointer(rebasing: memory[..<password.count])
      let key = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[password.count...].prefix(count))
      return unsafe body(copy, key)
    }
  }
}

/// Argon2id, version 1.3 (RFC 9106), in its general form; ``KeyDerivation`` sets the limits.
package enum Argon2id {
  /// Derives `count` bytes.
  package static func derive(
    from password: SecretBytes, salt: [UInt8], iterations: Int, memoryKiB: Int, lanes: Int = 1,
    secret: [UInt8] = [], associatedData: [UInt8] = [], count: Int
  ) throws(CryptoError) -> SecretBytes {
    var parameters: [UInt] = []
    for number in [count, iterations, memoryKiB, lanes] {
      guard let number = UInt(exactly: number) else { throw .parametersOutOfRange }
      parameters.append(number)
    }
    return try SecretBytes(count: count) { (output) throws(CryptoError) in
      // libgcrypt keeps the pointers until the end, so all inputs stay lent around the whole computation.
      let result = unsafe output.withUnsafeMutableBytes { key in
        password.withSpan { password in
          unsafe password.withUnsafeBytes { password in
            unsafe salt.withUnsafeBytes { salt in
              unsafe secret.withUnsafeBytes { secret in
                unsafe associatedData.withUnsafeBytes { associatedData in
                  unsafe compute(parameters, password, salt, secret, associatedData, into: key)
                }
              }
            }
          }
        }
      }
      try check(result, .keyDerivation)
    }
  }

  private static func compute(
    _ parameters: [UInt], _ password: UnsafeRawBufferPointer, _ salt: UnsafeRawBufferPointer,
    _ secret: UnsafeRawBufferPointer, _ associatedData: UnsafeRawBufferPointer,
    into key: UnsafeMutableRawBufferPointer
  ) -> gcry_error_t {
    var handle: OpaquePointer?
    let opened = unsafe gcry_kdf_open(
      &handle, Int32(GCRY_KDF_ARGON2.rawValue), Int32(GCRY_KDF_ARGON2ID.rawValue), parameters,
      UInt32(parameters.count), password.baseAddress, password.count, salt.baseAddress, salt.count,
      secret.baseAddress, secret.count, associatedData.baseAddress, associatedData.count)
    guard opened == 0 else { return opened }
    defer { unsafe gcry_kdf_close(handle) }
    let computed = unsafe gcry_kdf_compute(handle, nil)
    guard computed == 0 else { return computed }
    return unsafe gcry_kdf_final(handle, key.count, key.baseAddress)
  }
}
