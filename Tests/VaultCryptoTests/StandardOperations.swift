import TestVectors
import Testing
import VaultCrypto

/// What the vectors of the standards exercise, by the name of the operation.
let standardOperations: [String: @Sendable (Vector) throws -> Void] = [
  "sha-256": { vector in
    let hash = try SHA256.hash(of: vector.bytes("message"))
    #expect(try hash == vector.bytes("hash"))
  },
  "hmac-sha256": { vector in
    var authenticator = try MessageAuthenticator(key: vector.secret("key"))
    let message = try vector.bytes("message")
    // Twice, since a handle that is used again must forget the message before.
    for _ in 1...2 {
      let code = try message.withRawSpan { (span) throws(CryptoError) in try authenticator.code(for: span) }
      #expect(try code == vector.bytes("code"))
    }
  },
  "hkdf-sha256": { vector in
    let extracted = try HKDF.extract(salt: vector.bytes("salt"), from: vector.secret("secret"))
    let expanded = try HKDF.expand(
      extracted, info: vector.bytes("info"), count: vector.number("count"))
    #expect(try extracted == vector.secret("extracted"))
    #expect(try expanded == vector.secret("expanded"))
  },
  "pbkdf2-hmac-sha256": { vector in
    let expected = try vector.secret("key")
    let key = try PBKDF2.derive(
      from: vector.secret("password"), salt: vector.bytes("salt"),
      iterations: vector.number("iterations"), count: expected.count)
    #expect(key == expected)
  },
  "argon2id": { vector in
    let expected = try vector.secret("key")
    let key = try Argon2id.derive(
      from: vector.secret("password"), salt: vector.bytes("salt"),
      iterations: vector.number("iterations"), memoryKiB: vector.number("memory-kib"),
      lanes: vector.number("lanes"), secret: vector.bytes("secret"),
      associatedData: vector.bytes("associated-data"), count: expected.count)
    #expect(key == expected)
  },
  "aes-256-gcm-seal": { vector in
    let plaintext = try vector.secret("plaintext")
    let sealed = try vector.secret("sealed")
    var cipher = try AuthenticatedCipher()
    try begin(&cipher, vector)
    let made = try SecretBytes(count: sealed.count) { (output) throws(CryptoError) in
      try plaintext.withSpan { (span) throws(CryptoError) in try cipher.seal(span, into: &output) }
    }
    #expect(made == sealed)
    #expect(try open(vector) == plaintext)
  },
  "aes-256-gcm-open": { vector in
    let plaintext = try open(vector)
    #expect(try plaintext == vector.secret("plaintext"))
  },
]

private func begin(_ cipher: inout AuthenticatedCipher, _ vector: Vector) throws {
  let nonce = try vector.bytes("nonce")
  let data = try vector.bytes("associated-data")
  try vector.secret("key").withSpan { (key) throws(CryptoError) in
    try data.withRawSpan { (data) throws(CryptoError) in
      try cipher.begin(key: key, nonce: nonce, associatedData: data)
    }
  }
}

private func open(_ vector: Vector) throws -> SecretBytes {
  let sealed = try vector.secret("sealed")
  var cipher = try AuthenticatedCipher()
  try begin(&cipher, vector)
  return try SecretBytes(count: sealed.count - AuthenticatedCipher.tagCount) { (output) throws(CryptoError) in
    try sealed.withSpan { (span) throws(CryptoError) in try cipher.open(span, into: &output) }
  }
}
