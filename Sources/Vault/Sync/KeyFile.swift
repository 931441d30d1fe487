import VaultCrypto
import VaultStore
import Wire

/// The password's slot, as a replica publishes it for machines that join.
package struct KeyFile: Hashable, Sendable {
  var vault: Identifier
  var replica: Identifier
  var number: Int64
  /// The number of times that the password was changed, and when it was last.
  var version: Int64
  /// Milliseconds since 1970 UTC.
  var changedAt: Int64
  var slot: SlotRow
  /// A sealed record with the SHA-256 of the preceding bytes. Only a holder of the vault key can make it.
  var proof: [UInt8] = []

  private static let name = Array("quickvault/v1/keys".utf8)
}

// name (18) ‖ vault (16) ‖ replica (16) ‖ number (8) ‖ version (8) ‖ changed at (8) ‖ slot: id (16), algorithm (1), iterations (4),
// memory (4), salt (16), sealed (48) ‖ proof (64).
extension KeyFile {
  /// The bytes that `proof` authenticates.
  private var content: [UInt8] {
    var bytes = Self.name + vault.bytes + replica.bytes
    bytes.append(bigEndian: number)
    bytes.append(bigEndian: version)
    bytes.append(bigEndian: changedAt)
    bytes += slot.id.bytes + [slot.algorithm]
    bytes.append(bigEndian: slot.iterations)
    bytes.append(bigEndian: slot.memoryKiB)
    return bytes + slot.salt + slot.sealed
  }

  /// The bytes of the file.
  package var encoded: [UInt8] { content + proof }

  /// Reads a file. Whether it is authentic shows only with the vault key: ``isAuthentic(_:)``.
  ///
  /// - Throws: `CryptoError` for one that is malformed, or asks for parameters outside the limits.
  package init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes[...])
    guard Array(try reader.bytes(Self.name.count)) == Self.name else { throw CryptoError.malformed }
    vault = try reader.identifier()
    replica = try reader.identifier()
    number = try reader.ordinal()
    version = try reader.ordinal()
    changedAt = Int64(bitPattern: try reader.number(8))
    slot = SlotRow(
      id: try reader.identifier(), kind: KeySlot.Kind.password.rawValue,
      algorithm: UInt8(try reader.number(1)),
      iterations: UInt32(try reader.number(4)), memoryKiB: UInt32(try reader.number(4)),
      salt: Array(try reader.bytes(16)), sealed: Array(try reader.bytes(KeySlot.sealedCount)))
    proof = Array(try reader.bytes(reader.count))
    guard version > 0 else { throw CryptoError.malformed }
    _ = try KeySlot(slot)
  }

  /// Makes the file for the slot of a password.
  init(
    _ slot: SlotRow, _ password: PasswordVersion, _ reader: RecordReader, replica: Identifier, number: Int64
  ) throws {
    (vault, self.replica, self.number) = (reader.vault, replica, number)
    (self.slot, version, changedAt) = (slot, password.version, password.changedAt)
    proof = try reader.seal(.keyFile, replica, number, SHA256.hash(of: content))
  }

  var password: PasswordVersion {
    PasswordVersion(version: version, changedAt: changedAt, slot: slot.id)
  }

  /// Returns whether somebody with the vault key made the file.
  func isAuthentic(_ keys: VaultKeys) -> Bool {
    guard let revision = UInt64(exactly: number), let hash = try? SHA256.hash(of: content) else {
      return false
    }
    let place = RecordContext(vault: vault, kind: .keyFile, record: replica, revision: revision)
    let buffer = PlaintextBuffer(capacity: SHA256.count)
    guard (try? keys.sealer.open(proof, at: place, into: buffer)) != nil else { return false }
    return buffer.withContent { span in unsafe span.withUnsafeBytes { unsafe $0.elementsEqual(hash) } }
  }
}
