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
