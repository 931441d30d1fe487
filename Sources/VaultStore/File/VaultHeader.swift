/// The first 100 bytes of the file, which show whether it is a vault.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, "The Database Header".
enum VaultHeader {
  /// The size of the header in bytes.
  static let byteCount: Int32 = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Throws `StoreError.notAVault` or `.newerVersion` unless the bytes begin a vault that this program knows; `.corrupt` for
  /// an unknown write version, with which SQLite would open the file read-only.
  ///
  /// `bytes` is nil for a file that is shorter than a header.
  static func check(_ bytes: [UInt8]?) throws {
    guard let bytes, bytes.count == Int(byteCount), bytes.starts(with: magic) else {
      throw StoreError(.notAVault)
    }
    guard word(bytes[68..<72]) == Schema.applicationID else { throw StoreError(.notAVault) }
    let version = word(bytes[60..<64])
    guard version != 0 else { throw StoreError(.notAVault) }
    guard version <= Schema.formatVersion else { throw StoreError(.newerVersion) }
    guard bytes[18] <= 2, bytes[19] <= 2 else { throw StoreError(.corrupt) }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
