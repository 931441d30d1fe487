import CGcrypt

/// HMAC-SHA256 (RFC 2104) under one key, ready for any number of messages.
///
/// The key schedule is computed once and lies in secure memory. The value has one owner and its use is exclusive, so
/// the compiler keeps two threads from sharing it.
@safe
public struct MessageAuthenticator: ~Copyable, @unchecked Sendable {
  /// The length of an authentication code in bytes.
  public static let codeCount = 32

  private let handle: OpaquePointer

  /// Takes the key.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt refuses, as it does without memory.
  public init(key: SecretBytes) throws(CryptoError) {
    try CryptoLibrary.start()
    var opened: OpaquePointer?
    try check(
      unsafe gcry_mac_open(
        &opened, Int32(GCRY_MAC_HMAC_SHA256.rawValue), UInt32(GCRY_MAC_FLAG_SECURE.rawValue), nil),
      .messageAuthentication)
    guard let opened = unsafe opened else {
      throw .libraryFailure(operation: .messageAuthentication, code: 0)
    }
    let result = key.withSpan { span in
      unsafe span.withUnsafeBytes { unsafe gcry_mac_setkey(opened, $0.baseAddress, $0.count) }
    }
    do {
      try check(result, .messageAuthentication)
    } catch {
      unsafe gcry_mac_close(opened)
      throw error
    }
    unsafe handle = opened
  }

  deinit {
    unsafe gcry_mac_close(handle)
  }

  /// Writes the code of a message to the first 32 bytes of `code`.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` when there is no room for 32 bytes;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public mutating func authenticate(
    _ message: RawSpan, into code: inout MutableRawSpan
  ) throws(CryptoError) {
    guard code.byteCount >= Self.codeCount else { throw .parametersOutOfRange }
    var count = Self.codeCount
    let result = unsafe code.withUnsafeMutableBytes { target in
      unsafe message.withUnsafeBytes { source in
        let failure = unsafe cgcrypt_mac_reset(handle)
        guard failure == 0 else { return failure }
        let written = unsafe gcry_mac_write(handle, source.baseAddress, source.count)
        guard written == 0 else { return written }
        return unsafe gcry_mac_read(handle, target.baseAddress, &count)
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
