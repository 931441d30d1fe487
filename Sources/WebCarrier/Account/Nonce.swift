import CGcrypt
import Wire

/// A secret of 256 bits for one sign-in, in Base64 for URLs.
enum Nonce {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// The SHA-256 of a text (RFC 7636, section 4.2).
  static func hash(_ text: String) -> String {
    var hash = [UInt8](repeating: 0, count: 32)
    let bytes = Array(text.utf8)
    _ = unsafe gcry_check_version(nil)
    unsafe hash.withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe gcry_md_hash_buffer(
          Int32(GCRY_MD_SHA256.rawValue), target.baseAddress, source.baseAddress, source.count)
      }
    }
    return encode(hash)
  }

  private static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for character in unsafe Base64.encode(bytes.span.bytes) where character != "=" {
      text.append(character == "+" ? "-" : character == "/" ? "_" : character)
    }
    return text
  }
}
