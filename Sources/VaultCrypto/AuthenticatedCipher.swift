import CGcrypt

/// AES-256-GCM (NIST SP 800-38D) with a 16-byte tag, ready for any number of keys.
///
/// One libgcrypt handle, in secure memory, is reset for each message. The value has one owner and its use is
/// exclusive, so the compiler keeps two threads from sharing it.
@safe
package struct AuthenticatedCipher: ~Copyable, @unchecked Sendable {
  package static let keyCount = 32
  package static let tagCount = 16

  /// Twelve zero bytes. Each key in the vault format seals exactly once, so the nonce need not vary.
  package static let zeroNonce = [UInt8](repeating: 0, count: 12)

  private let handle: OpaquePointer

  package init() throws(CryptoError) {
    try CryptoLibrary.start()
    var opened: OpaquePointer?
    try check(
      unsafe gcry_cipher_open(
        &opened, Int32(GCRY_CIPHER_AES256.rawValue), Int32(GCRY_CIPHER_MODE_GCM.rawValue),
        UInt32(GCRY_CIPHER_SECURE.rawValue)),
      .cipher)
    guard let opened = unsafe opened else { throw .libraryFailure(operation: .cipher, code: 0) }
    unsafe handle = opened
  }

  deinit {
    unsafe gcry_cipher_close(handle)
  }

  /// Sets the key, the nonce and the associated data of the next message.
  package mutating func begin(
    key: RawSpan, nonce: [UInt8] = zeroNonce, associatedData: RawSpan
  ) throws(CryptoError) {
    guard key.byteCount == Self.keyCount else { throw .parametersOutOfRange }
    try check(
      unsafe key.withUnsafeBytes { unsafe gcry_cipher_setkey(handle, $0.baseAddress, $0.count) }, .cipher)
    try check(
      unsafe nonce.withUnsafeBytes { unsafe gcry_cipher_setiv(handle, $0.baseAddress, $0.count) }, .cipher)
    try check(
      unsafe associatedData.withUnsafeBytes {
        unsafe gcry_cipher_authenticate(handle, $0.baseAddress, $0.count)
      }, .cipher)
  }

  /// Writes ciphertext and tag to `output` from `offset` on, which must have room for exactly both.
  package mutating func seal(
    _ plaintext: RawSpan, into output: inout MutableRawSpan, at offset: Int = 0
  ) throws(CryptoError) {
    let count = plaintext.byteCount
    guard offset >= 0, output.byteCount == offset + count + Self.tagCount else {
      throw .parametersOutOfRange
    }
    let result = unsafe output.withUnsafeMutableBytes { target -> gcry_error_t in
      guard let start = unsafe target.baseAddress.map({ unsafe $0 + offset }) else { return 0 }
      if count > 0 {
        let failure = unsafe plaintext.withUnsafeBytes { source in
          unsafe gcry_cipher_encrypt(handle, start, count, source.baseAddress, count)
        }
        guard failure == 0 else { return failure }
      }
      return unsafe gcry_cipher_gettag(handle, start + count, Self.tagCount)
    }
    try check(result, .cipher)
  }

  /// Checks the tag that ends `sealed` and writes the plaintext to `output`, which has room for exactly it. When it
  /// throws, `output` holds bytes that nobody may use; the caller wipes them.
  package mutating func open(_ sealed: RawSpan, into output: inout MutableRawSpan) throws(CryptoError) {
    let count = sealed.byteCount - Self.tagCount
    guard count >= 0, output.byteCount == count else { throw .malformed }
    let result = unsafe sealed.withUnsafeBytes { source -> gcry_error_t in
      guard let start = source.baseAddress else { return 0 }
      if count > 0 {
        let failure = unsafe output.withUnsafeMutableBytes { target in
          unsafe gcry_cipher_decrypt(handle, target.baseAddress, count, start, count)
        }
        guard failure == 0 else { return failure }
      }
      return unsafe gcry_cipher_checktag(handle, start + count, Self.tagCount)
    }
    guard result & 0xFFFF != GPG_ERR_CHECKSUM.rawValue else { throw .authenticationFailed }
    try check(result, .cipher)
  }
}

/// HMAC-SHA256 (RFC 2104) under one key, ready for any number of messages.
///
/// The key schedule is in secure memory, and a message allocates nothing. The value has one owner and its use is
/// exclusive, so the compiler keeps two threads from sharing it.
public struct MessageAuthenticator: ~Copyable, Sendable {
  /// The length of an authentication code in bytes.
  public static let codeCount = 32

  private var state: SecureMemory

  /// Initializes the authenticator with a key.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public init(key: SecretBytes) throws(CryptoError) {
    state = try SecureMemory(count: cgcrypt_hmac_state)
    state.withMutableSpan { state in
      unsafe state.withUnsafeMutableBytes { state in
        key.withSpan { key in
          unsafe key.withUnsafeBytes { key in
            unsafe cgcrypt_hmac_prepare(state.baseAddress, key.baseAddress, key.count)
          }
        }
      }
    }
  }

  /// Writes the code of a message to the first 32 bytes of `code`.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` when there is no room for 32 bytes;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public mutating func authenticate(
    _ message: RawSpan, into code: inout MutableRawSpan
  ) throws(CryptoError) {
    guard code.byteCount >= Self.codeCount else { throw .parametersOutOfRange }
    let result = unsafe code.withUnsafeMutableBytes { target in
      state.withMutableSpan { state in
        unsafe state.withUnsafeMutableBytes { state in
          unsafe message.withUnsafeBytes { source in
            unsafe cgcrypt_hmac(state.baseAddress, source.baseAddress, source.count, target.baseAddress)
          }
        }
      }
    }
    try check(result, .messageAuthentication)
  }

  /// The 32-byte code of a message.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public mutating func code(for message: RawSpan) throws(CryptoError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Self.codeCount)
    try code.withMutableRawSpan { (span) throws(CryptoError) in try authenticate(message, into: &span) }
    return code
  }
}

/// HKDF with SHA-256 (RFC 5869).
public enum HKDF {
  /// Extracts a 32-byte key from a secret (RFC 5869, section 2.2). An empty salt stands for
  /// 32 zero bytes, as the RFC says.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public static func extract(salt: [UInt8], from secret: SecretBytes) throws(CryptoError) -> SecretBytes {
    let key = salt.isEmpty ? [UInt8](repeating: 0, count: MessageAuthenticator.codeCount) : salt
    var authenticator = try MessageAuthenticator(key: SecretBytes(copying: key))
    return try SecretBytes(count: MessageAuthenticator.codeCount) { (output) throws(CryptoError) in
      try secret.withSpan { (message) throws(CryptoError) in
        try authenticator.authenticate(message, into: &output)
      }
    }
  }

  /// Derives the key of one purpose from a key (RFC 5869, section 2.3).
  ///
  /// - Parameters:
  ///   - key: At least 32 bytes, random or from ``extract(salt:from:)``.
  ///   - info: the purpose of the result.
  ///   - count: Its length in bytes: 1 to 8,160.
  /// - Throws: ``CryptoError/parametersOutOfRange`` for another count; ``CryptoError/secureMemoryExhausted``;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public static func expand(
    _ key: SecretBytes, info: [UInt8], count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    let blockCount = MessageAuthenticator.codeCount
    guard (1...255 * blockCount).contains(count) else { throw .parametersOutOfRange }
    var authenticator = try MessageAuthenticator(key: key)
    // One message after another: previous block ‖ info ‖ number. The first message leaves the previous block out.
    var message = try SecureMemory(count: blockCount + info.count + 1)
    message.withMutableSpan { span in
      for index in info.indices {
        span.storeBytes(of: info[index], toByteOffset: blockCount + index, as: UInt8.self)
      }
    }
    return try SecretBytes(count: count) { (output) throws(CryptoError) in
      var block = try SecureMemory(count: blockCount)
      for start in stride(from: 0, to: count, by: blockCount) {
        message.withMutableSpan { span in
          let number = UInt8(truncatingIfNeeded: start / blockCount + 1)
          span.storeBytes(of: number, toByteOffset: span.byteCount - 1, as: UInt8.self)
        }
        try message.withSpan { (span) throws(CryptoError) in
          try block.withMutableSpan { (code) throws(CryptoError) in
            try authenticator.authenticate(
              start == 0 ? span.extracting(droppingFirst: blockCount) : span, into: &code)
          }
        }
        block.withSpan { code in
          message.withMutableSpan { span in span.copy(code, at: 0) }
          output.copy(code.extracting(first: min(blockCount, count - start)), at: start)
        }
      }
    }
  }

  /// The same with the purpose as ASCII text.
  static func expand(_ key: SecretBytes, purpose: String) throws(CryptoError) -> SecretBytes {
    try expand(key, info: Array(purpose.utf8))
  }
}
