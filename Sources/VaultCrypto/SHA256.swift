import CGcrypt

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
  /// The length of a hash in bytes.
  public static let count = 32

  /// The 32-byte hash of a message.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public static func hash(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.start()
    var hash = [UInt8](repeating: 0, count: count)
    unsafe hash.withUnsafeMutableBytes { target in
      unsafe message.withUnsafeBytes { source in
        unsafe gcry_md_hash_buffer(
          Int32(GCRY_MD_SHA256.rawValue), target.baseAddress, source.baseAddress, source.count)
      }
    }
    return hash
  }
}
