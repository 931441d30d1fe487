import CGcrypt
import Testing
import VaultCrypto
import Wire

@Suite("Secret bytes")
struct SecretBytesTests {
  @Test("R17 Nothing that prints or dumps shows a byte")
  func nothingShowsBytes() throws {
    let secret = try SecretBytes(password: "correct horse")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect("\(secret)" == "SecretBytes(13)")
    #expect(String(reflecting: secret) == "SecretBytes(13)")
    #expect(dumped.hasPrefix("- SecretBytes(13)"))
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(!String(describing: Optional(secret)).contains("memory"))
  }

  @Test("R10 A copy holds the bytes, and equality compares all of them")
  func equality() throws {
    let bytes = [UInt8](0..<32)
    let secret = try SecretBytes(copying: bytes)
    #expect(secret.withSpan { span in span.withUnsafeBytes { [UInt8]($0) } } == bytes)
    #expect(try secret == SecretBytes(copying: bytes))
    #expect(try secret != SecretBytes(copying: Array(bytes.dropLast())))
    for position in bytes.indices {
      var other = bytes
      other[position] ^= 0x80
      #expect(try secret != SecretBytes(copying: other), "position \(position)")
    }
  }

  @Test("R10 Random bytes differ each time, and counts are checked")
  func random() throws {
    #expect(try SecretBytes(randomCount: 32) != SecretBytes(randomCount: 32))
    #expect(try randomBytes(16) != randomBytes(16))
    #expect(try SecretBytes(randomCount: 0).count == 0)
    #expect(throws: CryptoError.parametersOutOfRange) { try SecretBytes(randomCount: -1) }
    #expect(throws: CryptoError.parametersOutOfRange) { try randomBytes(-1) }
  }

  @Test("R17 Exhausted secure memory is an error, and memory is returned after use")
  func exhaustion() throws {
    #expect(throws: CryptoError.secureMemoryExhausted) {
      try SecretBytes(randomCount: CryptoLibrary.secureMemorySize * 2)
    }
    #expect(try SecretBytes(randomCount: 1024).count == 1024)
  }

  @Test(
    "R11 A password is the same however its characters were composed",
    arguments: [
      ("caf\u{e9}", "cafe\u{301}"), ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"),
      ("\u{1e69}", "s\u{307}\u{323}"), ("\u{212b}", "\u{c5}"),
    ])
  func normalisation(_ composed: String, _ decomposed: String) throws {
    #expect(try SecretBytes(password: composed) == SecretBytes(password: decomposed))
  }

  @Test("R11 Normalised bytes are UTF-8 in NFC")
  func normalisedBytes() throws {
    #expect(try SecretBytes(password: "e\u{301}") == SecretBytes(copying: [0xC3, 0xA9]))
    #expect(try SecretBytes(password: "随取") == SecretBytes(copying: Array("随取".utf8)))
    #expect(try SecretBytes(password: "a😀") == SecretBytes(copying: Array("a😀".utf8)))
    #expect(try SecretBytes(password: "").count == 0)
  }

  @Test("R10 The library starts once, from any thread, with the same outcome")
  func library() async throws {
    let first = try CryptoLibrary.start()
    let versions = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 { group.addTask { try CryptoLibrary.start().version } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(versions == [first.version])
    #expect(first.version.hasPrefix("1."))
  }

  @Test("R10 An identifier is a UUID version 4, and a document's comes from its name")
  func identifiers() throws {
    for _ in 0..<100 {
      let bytes = try Identifier.random().bytes
      #expect(bytes[6] >> 4 == 4)
      #expect(bytes[8] >> 6 == 2)
    }
    #expect(try Identifier.random() != Identifier.random())
    #expect(
      try Identifier(documentNamed: "settings").bytes
        == Array(SHA256.hash(of: Array("settings".utf8)).prefix(16)))
    #expect(throws: CryptoError.malformed) { try Identifier([UInt8](repeating: 0, count: 15)) }
    #expect(throws: CryptoError.malformed) { try Salt([UInt8](repeating: 0, count: 17)) }
  }
}

@Test("R10 Random bytes are the kernel's, not those of a generator in the process")
func randomBytesAreTheKernels() throws {
  try CryptoLibrary.start()
  let description = try #require(gcry_get_config(0, "rng-type"))
  defer { gcry_free(description) }
  #expect(String(cString: description).hasPrefix("rng-type:system:"))
}
