import CGcrypt

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
