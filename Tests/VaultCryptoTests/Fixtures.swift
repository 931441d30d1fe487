import Testing
import VaultCrypto
import Wire

/// Keys and a place with fixed values, for tests that ask about behaviour and not about figures.
struct Fixtures {
  let vaultKey: SecretBytes
  let keys: VaultKeys
  let place = RecordContext(
    vault: Identifier(high: 1, low: 2), kind: .card, record: Identifier(high: 3, low: 4), revision: 5)

  init() throws {
    vaultKey = try SecretBytes(copying: [UInt8](0..<32))
    keys = try VaultKeys(vaultKey: vaultKey)
  }

  /// A sealed record whose content differs with `number`, under the salt that `number` gives.
  func sealed(_ number: UInt64) throws -> [UInt8] {
    let salt = try Salt(Identifier(high: number, low: number).bytes)
    return try [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 24).withRawSpan {
      (span) throws(CryptoError) in try keys.sealer.seal(span, at: place, salt: salt)
    }
  }

  func element(_ number: UInt64) throws -> RecordHash.Element {
    try keys.hasher.element(
      kind: .card, id: Identifier(high: number, low: 0), revision: 1, sealed: sealed(number))
  }
}
