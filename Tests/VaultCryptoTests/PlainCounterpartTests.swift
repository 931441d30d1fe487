import CGcrypt
import Testing
import VaultCrypto

/// What is done in a quicker way than libgcrypt's own gives what libgcrypt's own gives.
@Suite("Plain counterparts")
struct PlainCounterpartTests {
  @Test("R10 HMAC-SHA256 of random keys and messages is that of libgcrypt")
  func messageAuthentication() throws {
    try CryptoLibrary.start()
    for round in 0..<400 {
      let key = try randomBytes(round % 130)
      let message = try randomBytes(Int.random(in: 0...300))
      var authenticator = try MessageAuthenticator(key: SecretBytes(copying: key))
      for _ in 1...2 {
        let code = try message.withRawSpan { (span) throws(CryptoError) in try authenticator.code(for: span) }
        #expect(try code == Self.codeOfLibrary(key, message), "key \(key), message \(message)")
      }
    }
  }

  @Test("R10 PBKDF2 of random passwords is its definition over HMAC-SHA256 (RFC 8018)")
  func keyDerivation() throws {
    for iterations in 1...40 {
      let password = try randomBytes(Int.random(in: 1...200))
      let salt = try randomBytes(16)
      let derived = try PBKDF2.derive(
        from: SecretBytes(copying: password), salt: salt, iterations: iterations, count: 32)
      var block = try Self.codeOfLibrary(password, salt + [0, 0, 0, 1])
      var key = block
      for _ in 1..<iterations {
        block = try Self.codeOfLibrary(password, block)
        for index in key.indices { key[index] ^= block[index] }
      }
      #expect(try derived == SecretBytes(copying: key))
    }
  }

  private static func codeOfLibrary(_ key: [UInt8], _ message: [UInt8]) throws -> [UInt8] {
    var handle: OpaquePointer?
    try #require(gcry_mac_open(&handle, Int32(GCRY_MAC_HMAC_SHA256.rawValue), 0, nil) == 0)
    defer { gcry_mac_close(handle) }
    var code = [UInt8](repeating: 0, count: 32)
    var count = code.count
    try #require(gcry_mac_setkey(handle, key, key.count) == 0)
    try #require(gcry_mac_write(handle, message, message.count) == 0)
    try #require(gcry_mac_read(handle, &code, &count) == 0)
    return code
  }
}
