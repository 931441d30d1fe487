/// The sealer and the hasher of records, derived from the vault key.
///
/// Use it from one thread at a time; a second thread needs a ``duplicate()``.
public final class VaultKeys {
  /// The vault key itself, from which new slots are sealed. Safe to hand to another thread.
  public let vaultKey: SecretBytes
  /// Seals and opens the records.
  public let sealer: RecordSealer
  /// Makes the elements of the record hash.
  public let hasher: RecordHasher

  /// Derives the keys for each purpose: HKDF-Expand of the vault key over `quickvault/v1/record` and
  /// `quickvault/v1/record-hash`.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the vault key has 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public init(vaultKey: SecretBytes) throws(CryptoError) {
    guard vaultKey.count == AuthenticatedCipher.keyCount else { throw .parametersOutOfRange }
    self.vaultKey = vaultKey
    sealer = try RecordSealer(recordKey: HKDF.expand(vaultKey, purpose: "quickvault/v1/record"))
    hasher = try RecordHasher(recordHashKey: HKDF.expand(vaultKey, purpose: "quickvault/v1/record-hash"))
  }

  /// Generates a vault key: 32 random bytes.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public static func newVaultKey() throws(CryptoError) -> SecretBytes {
    try SecretBytes(randomCount: AuthenticatedCipher.keyCount)
  }

  /// Creates keys with their own handles, for another thread.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public func duplicate() throws(CryptoError) -> sending VaultKeys {
    try VaultKeys(vaultKey: vaultKey)
  }
}
