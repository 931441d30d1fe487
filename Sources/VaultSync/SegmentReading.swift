import Identifiers
import VaultCrypto
import VaultSession

extension RecordReader {
  /// Opens a segment of a replica's stream.
  ///
  /// - Throws: `CryptoError` for one that is truncated, changed, of another place or another vault, or malformed.
  func segment(_ sealed: [UInt8], _ sequence: Int64, of replica: Identifier) throws -> Segment {
    try withRecord(.segment, replica, sequence, sealed) { record in
      try Segment(decoding: unsafe record.withUnsafeBytes { unsafe [UInt8]($0) })
    }
  }
}
