import VaultCrypto
import Wire

extension RecordReader {
  /// Opens a segment of a replica's stream.
  ///
  /// - Throws: `CryptoError` if it is truncated, changed, malformed, or belongs to another number, replica or vault.
  func segment(_ sealed: [UInt8], _ sequence: Int64, of replica: Identifier) throws -> Segment {
    try withRecord(.segment, replica, sequence, sealed) { record in
      let segment = try Segment(decoding: unsafe record.withUnsafeBytes { unsafe [UInt8]($0) })
      guard sequence > 1 || segment.isFirst else { throw CryptoError.malformed }
      return segment
    }
  }
}

extension SegmentFinding {
  /// - Parameter segment: nil if the file does not open.
  init(of sealed: [UInt8], _ segment: Segment?) throws {
    self.init(
      hash: try SHA256.hash(of: sealed), previous: segment?.previous, part: segment?.part ?? [])
  }
}
