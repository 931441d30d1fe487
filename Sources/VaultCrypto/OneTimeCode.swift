import CGcrypt

/// The one-time code of a key and a counter (RFC 4226), of which codes by time are a case (RFC 6238).
public enum OneTimeCode {
  /// The hash of the HMAC.
  public enum Hash: Sendable, CaseIterable {
    case sha1, sha256, sha512

    fileprivate var algorithm: Int32 {
      switch self {
      case .sha1: Int32(GCRY_MD_SHA1.rawValue)
      case .sha256: Int32(GCRY_MD_SHA256.rawValue)
      case .sha512: Int32(GCRY_MD_SHA512.rawValue)
      }
    }

    fileprivate var count: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }
  }

  /// The numbers of digits that a code can have.
  public static let digits = 6...8

  /// Computes a code, with zeros in front.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` for another number of digits; ``CryptoError/libraryFailure(operation:code:)``.
  public static func compute(
    key: SecretBytes, counter: UInt64, digits: Int, hash: Hash
  ) throws(CryptoError) -> String {
    guard Self.digits.contains(digits) else { throw .parametersOutOfRange }
    let code = try authenticationCode(key, counter, hash)
    let offset = Int(code.last ?? 0) & 0xF
    guard offset + 4 <= code.count else { throw .parametersOutOfRange }
    let number = code[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let modulus = (0..<digits).reduce(UInt32(1)) { power, _ in power * 10 }
    let text = String(number % modulus)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  private static func authenticationCode(
    _ key: SecretBytes, _ counter: UInt64, _ hash: Hash
  ) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.start()
    let flags = GCRY_MD_FLAG_HMAC.rawValue | GCRY_MD_FLAG_SECURE.rawValue
    var handle: gcry_md_hd_t?
    try check(unsafe gcry_md_open(&handle, hash.algorithm, flags), .messageAuthentication)
    defer { unsafe gcry_md_close(handle) }
    try key.withSpan { (key) throws(CryptoError) in
      try check(
        unsafe key.withUnsafeBytes { unsafe gcry_md_setkey(handle, $0.baseAddress, $0.count) },
        .messageAuthentication)
    }
    let message = (0..<8).reversed().map { UInt8(truncatingIfNeeded: counter >> (8 * UInt64($0))) }
    unsafe message.withUnsafeBytes { unsafe gcry_md_write(handle, $0.baseAddress, $0.count) }
    guard let code = unsafe gcry_md_read(handle, hash.algorithm) else { throw .parametersOutOfRange }
    return unsafe Array(UnsafeBufferPointer(start: code, count: hash.count))
  }
}
