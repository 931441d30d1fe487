import CGcrypt
import Glibc
@_spi(_Unicode) import Swift

/// The derivation of a slot's key from a password or a device secret.
///
/// The limits keep a forged or damaged file from weakening the derivation or from exhausting the machine; every use
/// checks them before anything is computed.
public enum KeyDerivation: Hashable, Sendable {
  /// PBKDF2 with HMAC-SHA256 (RFC 8018, section 5.2); 100,000 to 10,000,000 iterations (R10).
  case pbkdf2(iterations: Int)
  /// Argon2id, version 1.3, one lane (RFC 9106); 1 to 64 iterations over 19,456 to 1,048,576 KiB.
  case argon2id(iterations: Int, memoryKiB: Int)
  /// HKDF with SHA-256 (RFC 5869), for device secrets only: they are random and need no key stretching.
  case hkdf

  /// PBKDF2 with 600,000 iterations.
  public static let `default` = KeyDerivation.pbkdf2(iterations: 600_000)

  /// Argon2id with 3 iterations over 64 MiB, for a caller that chooses it without parameters.
  public static let defaultArgon2id = KeyDerivation.argon2id(iterations: 3, memoryKiB: 65_536)

  /// The iterations that PBKDF2 may have.
  public static let pbkdf2Iterations = 100_000...10_000_000
  /// The iterations that Argon2id may have.
  public static let argon2idIterations = 1...64
  /// The memory that Argon2id may have, in KiB.
  public static let argon2idMemoryKiB = 19_456...1_048_576

  /// The length of a device secret in bytes.
  public static let deviceSecretCount = 32

  /// Reads the numbers in the file.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` for an unknown algorithm, or anything outside the limits.
  public init(algorithm: Int64, iterations: Int64, memoryKiB: Int64) throws(CryptoError) {
    guard let iterations = Int(exactly: iterations), let memoryKiB = Int(exactly: memoryKiB) else {
      throw .parametersOutOfRange
    }
    switch (algorithm, iterations, memoryKiB) {
    case (1, _, 0): self = .pbkdf2(iterations: iterations)
    case (2, _, _): self = .argon2id(iterations: iterations, memoryKiB: memoryKiB)
    case (3, 0, 0): self = .hkdf
    default: throw .parametersOutOfRange
    }
    try validate()
  }

  /// The number of the algorithm in the file: 1 PBKDF2, 2 Argon2id, 3 HKDF.
  public var algorithm: UInt8 {
    switch self {
    case .pbkdf2: 1
    case .argon2id: 2
    case .hkdf: 3
    }
  }

  /// The iterations; 0 for HKDF.
  public var iterations: Int {
    switch self {
    case .pbkdf2(let iterations), .argon2id(let iterations, _): iterations
    case .hkdf: 0
    }
  }

  /// The memory in KiB; 0 for all but Argon2id.
  public var memoryKiB: Int {
    if case .argon2id(_, let memoryKiB) = self { memoryKiB } else { 0 }
  }

  /// Checks the limits.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange``.
  public func validate() throws(CryptoError) {
    let isInside =
      switch self {
      case .pbkdf2(let iterations): Self.pbkdf2Iterations.contains(iterations)
      case .argon2id(let iterations, let memoryKiB):
        Self.argon2idIterations.contains(iterations) && Self.argon2idMemoryKiB.contains(memoryKiB)
      case .hkdf: true
      }
    guard isInside else { throw .parametersOutOfRange }
  }

  /// Derives the 32-byte key. With PBKDF2 and Argon2id this takes a good part of a second on purpose, on the thread of the
  /// caller.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` outside the limits, or when a secret for HKDF does not have 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``, as when the memory
  ///   for Argon2id cannot be allocated.
  public func deriveKey(from secret: SecretBytes, salt: Salt) throws(CryptoError) -> SecretBytes {
    try validate()
    switch self {
    case .pbkdf2(let iterations):
      return try PBKDF2.derive(
        from: secret, salt: salt.bytes, iterations: iterations, count: AuthenticatedCipher.keyCount)
    case .argon2id(let iterations, let memoryKiB):
      return try Argon2id.derive(
        from: secret, salt: salt.bytes, iterations: iterations, memoryKiB: memoryKiB,
        count: AuthenticatedCipher.keyCount)
    case .hkdf:
      guard secret.count == Self.deviceSecretCount else { throw .parametersOutOfRange }
      return try HKDF.expand(
        HKDF.extract(salt: salt.bytes, from: secret), purpose: "quickvault/v1/device")
    }
  }
}

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

// The standard library normalises strings for its own comparisons but has no public interface for it yet; Foundation
// has, and would bring megabytes into the vault process. This file alone uses the interface that is not public.

extension SecretBytes {
  /// A password as key derivation takes it: Unicode NFC, in UTF-8 (RFC 8265, OpaqueString), so that the same password
  /// typed on another keyboard or system has the same bytes.
  ///
  /// The string itself and the standard library's buffers are in ordinary memory; they disappear when the process replaces
  /// itself at lock.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``.
  public convenience init(password: String) throws(CryptoError) {
    var count = 0
    for scalar in password._nfc { count += UTF8.width(scalar) }
    try self.init(count: count) { (span: inout MutableRawSpan) in
      var offset = 0
      for scalar in password._nfc {
        for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
          span.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
          offset += 1
        }
      }
    }
  }
}
