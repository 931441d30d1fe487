public import Wire

/// The hash of the rows that are not sealed and that decide who opens a vault: its slots and its plain settings.
///
/// It is kept in the sealed ``VaultHead``, so that a slot or setting that was changed, added, removed or put back is detected.
public enum PlainHash {
  /// A slot as it stands in the file, of whatever kind.
  public struct Slot: Sendable {
    let id: Identifier
    let encoded: [UInt8]

    /// A slot with these columns.
    public init(
      id: Identifier, kind: UInt8, algorithm: UInt8, iterations: UInt32, memoryKiB: UInt32, salt: [UInt8],
      sealed: [UInt8]
    ) {
      self.id = id
      var bytes = id.bytes + [kind, algorithm]
      bytes.append(bigEndian: iterations)
      bytes.append(bigEndian: memoryKiB)
      bytes += salt
      bytes.append(bigEndian: UInt32(clamping: sealed.count))
      encoded = bytes + sealed
    }
  }

  /// SHA-256 over `quickvault/v1/plain` in ASCII, the number of slots (4 bytes), the slots in ascending order of their ids,
  /// the length of the settings in UTF-8 (4 bytes), and the settings.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public static func hash(slots: [Slot], settings: String) throws(CryptoError) -> [UInt8] {
    var bytes = Array("quickvault/v1/plain".utf8)
    bytes.append(bigEndian: UInt32(clamping: slots.count))
    for slot in slots.sorted(by: { $0.id < $1.id }) { bytes += slot.encoded }
    bytes.append(bigEndian: UInt32(clamping: settings.utf8.count))
    return try SHA256.hash(of: bytes + Array(settings.utf8))
  }
}
