import Identifiers
import VaultCrypto
import VaultStore

extension OpenVault {
  /// Opens a record into ``buffer``.
  func openRecord(_ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: [UInt8]) throws {
    try sealed.withRawSpan { (span) throws in try reader.open(kind, id, revision, span) }
  }

  /// Seals a record for its place.
  func sealRecord(_ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ content: [UInt8]) throws
    -> [UInt8]
  {
    let place = RecordPlace(vault: identifier, kind: kind, record: id, revision: UInt64(clamping: revision))
    return try keys.sealer.seal(content, at: place)
  }

  /// What a record adds to the record hash.
  func element(
    _ kind: RecordKind, _ id: Identifier, _ revision: Int64, _ sealed: [UInt8]
  ) throws -> RecordHash.Element {
    try sealed.withRawSpan { (span) throws in try reader.element(kind, id, revision, span) }
  }
}
