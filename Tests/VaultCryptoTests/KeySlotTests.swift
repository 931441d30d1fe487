import Testing
import VaultCrypto
import Wire

@Suite("Key slots")
struct KeySlotTests {
  private let vault = Identifier(high: 1, low: 2)
  private let derivation = KeyDerivation.pbkdf2(iterations: 100_000)

  private func slot() throws -> (slot: KeySlot, vaultKey: SecretBytes, password: SecretBytes) {
    let vaultKey = try VaultKeys.newVaultKey()
    let password = try SecretBytes(password: "correct horse")
    let slot = try KeySlot.seal(vaultKey, under: password, of: vault, derivation: derivation)
    return (slot, vaultKey, password)
  }

  @Test("R10 R11 The right password opens the vault key, a wrong one does not")
  func password() throws {
    let (slot, vaultKey, password) = try slot()
    #expect(try slot.open(with: password, of: vault) == vaultKey)
    #expect(throws: CryptoError.authenticationFailed) {
      try slot.open(with: SecretBytes(password: "correct horsf"), of: vault)
    }
    #expect(throws: CryptoError.authenticationFailed) {
      try slot.open(with: SecretBytes(password: ""), of: vault)
    }
  }

  @Test("R10 Every seal has its own id and salt")
  func freshness() throws {
    let first = try slot().slot
    let second = try slot().slot
    #expect(first.id != second.id)
    #expect(first.salt != second.salt)
    #expect(first.sealed != second.sealed)
  }

  @Test("T No parameter can be changed unseen")
  func parameters() throws {
    // A device slot's key does not depend on id or vault, and is derived at once: what refuses is the seal.
    let secret = try SecretBytes(randomCount: KeyDerivation.deviceSecretCount)
    let vaultKey = try VaultKeys.newVaultKey()
    let slot = try KeySlot.seal(vaultKey, under: secret, of: vault, kind: .device, derivation: .hkdf)
    #expect(try slot.open(with: secret, of: vault) == vaultKey)
    #expect(throws: CryptoError.authenticationFailed) {
      try slot.open(with: secret, of: Identifier(high: 1, low: 3))
    }
    for position in slot.sealed.indices {
      var sealed = slot.sealed
      sealed[position] ^= 1
      let changed = try KeySlot(
        id: slot.id, kind: .device, derivation: .hkdf, salt: slot.salt, sealed: sealed)
      #expect(throws: CryptoError.authenticationFailed, "position \(position)") {
        try changed.open(with: secret, of: vault)
      }
    }
    for position in 0..<Salt.count {
      var salt = slot.salt.bytes
      salt[position] ^= 1
      var id = slot.id.bytes
      id[position] ^= 1
      let otherSalt = try KeySlot(
        id: slot.id, kind: .device, derivation: .hkdf, salt: Salt(salt), sealed: slot.sealed)
      let otherID = try KeySlot(
        id: Identifier(id), kind: .device, derivation: .hkdf, salt: slot.salt, sealed: slot.sealed)
      for changed in [otherSalt, otherID] {
        #expect(throws: CryptoError.authenticationFailed, "position \(position)") {
          try changed.open(with: secret, of: vault)
        }
      }
    }
  }

  @Test(
    "R10 Weak and excessive derivations are refused before deriving",
    arguments: [
      KeyDerivation.pbkdf2(iterations: 99_999), .pbkdf2(iterations: 10_000_001), .pbkdf2(iterations: 0),
      .pbkdf2(iterations: .min), .pbkdf2(iterations: .max),
      .argon2id(iterations: 0, memoryKiB: 65_536), .argon2id(iterations: 65, memoryKiB: 65_536),
      .argon2id(iterations: 3, memoryKiB: 19_455), .argon2id(iterations: 3, memoryKiB: 1_048_577),
      .argon2id(iterations: .max, memoryKiB: .max), .argon2id(iterations: .min, memoryKiB: .min),
    ])
  func limits(_ derivation: KeyDerivation) throws {
    let (slot, vaultKey, password) = try slot()
    #expect(throws: CryptoError.parametersOutOfRange) { try derivation.validate() }
    #expect(throws: CryptoError.parametersOutOfRange) {
      try derivation.deriveKey(from: password, salt: Salt())
    }
    #expect(throws: CryptoError.parametersOutOfRange) {
      try KeySlot.seal(vaultKey, under: password, of: vault, derivation: derivation)
    }
    #expect(throws: CryptoError.parametersOutOfRange) {
      try KeySlot(
        id: slot.id, kind: .password, derivation: derivation, salt: slot.salt, sealed: slot.sealed)
    }
  }

  @Test(
    "R10 The defaults lie inside the limits and read back from their numbers",
    arguments: [
      KeyDerivation.default, .defaultArgon2id, .hkdf, .pbkdf2(iterations: 100_000),
      .pbkdf2(iterations: 10_000_000), .argon2id(iterations: 1, memoryKiB: 19_456),
      .argon2id(iterations: 64, memoryKiB: 1_048_576),
    ])
  func numbers(_ derivation: KeyDerivation) throws {
    let read = try KeyDerivation(
      algorithm: Int64(derivation.algorithm), iterations: Int64(derivation.iterations),
      memoryKiB: Int64(derivation.memoryKiB))
    #expect(read == derivation)
  }

  @Test("T Passwords are never derived by HKDF, nor devices by anything else")
  func kinds() throws {
    let (_, vaultKey, password) = try slot()
    let secret = try SecretBytes(randomCount: KeyDerivation.deviceSecretCount)
    #expect(throws: CryptoError.parametersOutOfRange) {
      try KeySlot.seal(vaultKey, under: secret, of: vault, kind: .password, derivation: .hkdf)
    }
    #expect(throws: CryptoError.parametersOutOfRange) {
      try KeySlot.seal(vaultKey, under: secret, of: vault, kind: .device, derivation: .default)
    }
    #expect(throws: CryptoError.parametersOutOfRange) {
      try KeySlot.seal(vaultKey, under: password, of: vault, kind: .device, derivation: .hkdf)
    }
    #expect(throws: CryptoError.parametersOutOfRange) {
      try KeySlot.seal(password, under: password, of: vault, derivation: derivation)
    }
  }
}
