public import Wire

/// The vault key, encrypted with a key that is derived from a password or a device secret.
///
/// The seal covers every parameter, so that none can be changed unseen. A value holds nothing secret: it is what stands
/// in the file.
public struct KeySlot: Hashable, Sendable {
  /// The kind of secret that opens a slot. The raw values are stored in the file.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// A person, with the master password.
    case password = 1
    /// A bound device, with a random secret of 32 bytes.
    case device = 2

    /// Reads the number in the file.
    ///
    /// - Throws: ``CryptoError/parametersOutOfRange`` for an unknown kind.
    public init(stored number: Int64) throws(CryptoError) {
      guard let byte = UInt8(exactly: number), let kind = Kind(rawValue: byte) else {
        throw .parametersOutOfRange
      }
      self = kind
    }
  }

  public let id: Identifier
  /// The kind of secret that opens it.
  public let kind: Kind
  /// The derivation of the key that opens it.
  public let derivation: KeyDerivation
  /// The salt of the derivation, used for this seal alone.
  public let salt: Salt
  /// The sealed vault key: 32 bytes of ciphertext and the 16-byte tag.
  public let sealed: [UInt8]

  /// The length of ``sealed`` in bytes.
  public static let sealedCount = AuthenticatedCipher.keyCount + AuthenticatedCipher.tagCount

  /// Makes a slot from its stored parts.
  ///
  /// - Throws: ``CryptoError/malformed`` when `sealed` does not have 48 bytes; ``CryptoError/parametersOutOfRange`` when the
  ///   derivation is outside its limits or not one for this kind (devices use HKDF, and nothing else does).
  public init(
    id: Identifier, kind: Kind, derivation: KeyDerivation, salt: Salt, sealed: [UInt8]
  ) throws(CryptoError) {
    try derivation.validate()
    guard (kind == .device) == (derivation == .hkdf) else { throw .parametersOutOfRange }
    guard sealed.count == Self.sealedCount else { throw .malformed }
    (self.id, self.kind, self.derivation, self.salt, self.sealed) = (id, kind, derivation, salt, sealed)
  }

  /// Seals a vault key under a password or a device secret, with a fresh identifier and salt.
  ///
  /// Takes as long as ``KeyDerivation/deriveKey(from:salt:)``.
  ///
  /// - Parameters:
  ///   - vaultKey: The 32-byte key of the vault.
  ///   - secret: A password from ``SecretBytes/init(password:)``, or a device secret of 32 random bytes.
  ///   - vault: The vault's identifier; the slot opens for this vault alone.
  ///   - kind: who opens it.
  ///   - derivation: one that is allowed for this kind.
  /// - Throws: ``CryptoError/parametersOutOfRange``; ``CryptoError/secureMemoryExhausted``;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public static func seal(
    _ vaultKey: SecretBytes, under secret: SecretBytes, of vault: Identifier, kind: Kind = .password,
    derivation: KeyDerivation = .default
  ) throws(CryptoError) -> KeySlot {
    try seal(
      vaultKey, under: secret, of: vault, kind: kind, derivation: derivation, id: .random(), salt: Salt())
  }

  /// Seals a vault key for a device, whose identifier is that of its slot, with a fresh salt.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the secret has 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public static func seal(
    _ vaultKey: SecretBytes, under secret: SecretBytes, of vault: Identifier, device: Identifier
  ) throws(CryptoError) -> KeySlot {
    try seal(
      vaultKey, under: secret, of: vault, kind: .device, derivation: .hkdf, id: device, salt: Salt())
  }

  /// Seals with an identifier and a salt that the caller chose, for test vectors only: a salt that is used twice with one
  /// password breaks both seals.
  package static func seal(
    _ vaultKey: SecretBytes, under secret: SecretBytes, of vault: Identifier, kind: Kind,
    derivation: KeyDerivation, id: Identifier, salt: Salt
  ) throws(CryptoError) -> KeySlot {
    guard vaultKey.count == AuthenticatedCipher.keyCount else { throw .parametersOutOfRange }
    let unsealed = try KeySlot(
      id: id, kind: kind, derivation: derivation, salt: salt,
      sealed: [UInt8](repeating: 0, count: sealedCount))
    let key = try derivation.deriveKey(from: secret, salt: salt)
    var cipher = try unsealed.cipher(key: key, vault: vault)
    var sealed = unsealed.sealed
    try sealed.withMutableRawSpan { (output) throws(CryptoError) in
      try vaultKey.withSpan { (key) throws(CryptoError) in try cipher.seal(key, into: &output) }
    }
    return try KeySlot(id: id, kind: kind, derivation: derivation, salt: salt, sealed: sealed)
  }

  /// Opens the slot and returns the vault key. Takes as long as ``KeyDerivation/deriveKey(from:salt:)``.
  ///
  /// - Throws: ``CryptoError/authenticationFailed`` when the secret is wrong, or the slot was changed or belongs to
  ///   another vault; ``CryptoError/parametersOutOfRange`` when a device secret does not have 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public func open(with secret: SecretBytes, of vault: Identifier) throws(CryptoError) -> SecretBytes {
    try open(withDerived: derivation.deriveKey(from: secret, salt: salt), of: vault)
  }

  /// Opens the slot with the key that ``derivation`` derived from a password or a device secret and the ``salt``.
  ///
  /// - Throws: as ``open(with:of:)``, but derives nothing.
  public func open(withDerived key: SecretBytes, of vault: Identifier) throws(CryptoError) -> SecretBytes {
    var cipher = try cipher(key: key, vault: vault)
    return try SecretBytes(count: AuthenticatedCipher.keyCount) { (output) throws(CryptoError) in
      try sealed.withRawSpan { (sealed) throws(CryptoError) in try cipher.open(sealed, into: &output) }
    }
  }

  /// What the seal covers besides the key, 74 bytes: `quickvault/v1/sl` in ASCII, vault id, slot id, kind (1 byte),
  /// algorithm (1), iterations (4), memory in KiB (4), salt (16).
  func associatedData(vault: Identifier) -> [UInt8] {
    var data = Array("quickvault/v1/sl".utf8)
    data += vault.bytes + id.bytes
    data += [kind.rawValue, derivation.algorithm]
    data.append(bigEndian: UInt32(truncatingIfNeeded: derivation.iterations))
    data.append(bigEndian: UInt32(truncatingIfNeeded: derivation.memoryKiB))
    return data + salt.bytes
  }

  private func cipher(key: SecretBytes, vault: Identifier) throws(CryptoError) -> AuthenticatedCipher {
    var cipher = try AuthenticatedCipher()
    try key.withSpan { (key) throws(CryptoError) in
      try associatedData(vault: vault).withRawSpan { (data) throws(CryptoError) in
        try cipher.begin(key: key, associatedData: data)
      }
    }
    return cipher
  }
}

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
