public import Wire

/// The kind of a sealed record. The raw values are stored in the file.
public enum RecordKind: UInt8, Hashable, Sendable, CaseIterable {
  case card = 1
  /// The head of the vault: record hash, counts and recent changes. Its record id is ``Identifier/zero`` and its
  /// revision is the generation of the vault.
  case head = 2
  /// A named document such as the settings. Its record id is ``Identifier/init(documentNamed:)``.
  case document = 3
  /// The content of an attachment. Its description is in the card's record.
  case attachment = 4
  /// A cached picture of an attachment. The record hash does not include it.
  case rendition = 5
  /// The history of a card, for merging.
  case history = 6
  /// The state of the vault when it was last open. It is kept in a separate file. Its record id is
  /// ``Identifier/zero`` and its revision 0.
  case lastSeen = 7
  /// A segment of a synchronised vault, in the synchronised folder. Its record id is the replica's and its revision the number in
  /// the replica's stream.
  case segment = 8
  /// The proof in a key file of a synchronised folder. Its record id is the replica's, its revision the file's number.
  case keyFile = 9
  /// The link from one vault key to the next, in the synchronised folder. Its record id is a replica's and its revision 1.
  case successor = 10
}

/// What a sealed record is bound to. It opens only in its own vault, under its identifier, at its revision.
public struct RecordContext: Hashable, Sendable {
  public var vault: Identifier
  public var kind: RecordKind
  public var record: Identifier
  /// The revision of the record; for the head, the generation of the vault.
  public var revision: UInt64

  public init(vault: Identifier, kind: RecordKind, record: Identifier, revision: UInt64) {
    (self.vault, self.kind, self.record, self.revision) = (vault, kind, record, revision)
  }

  /// The context of a vault's head at a generation.
  public static func head(of vault: Identifier, generation: UInt64) -> RecordContext {
    RecordContext(vault: vault, kind: .head, record: .zero, revision: generation)
  }

  /// The 57 bytes that a record's seal covers besides its content: `quickvault/v1/ad` in ASCII, the vault id, the kind
  /// (1 byte), the record id, and the revision (8 bytes).
  public var associatedData: [UInt8] {
    withAssociatedData { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
  }

  /// The same without an allocation.
  func withAssociatedData<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var block = InlineArray<57, UInt8>(repeating: 0)
    var elements = block.mutableSpan
    var span = unsafe elements.mutableBytes
    span.store("quickvault/v1/ad", at: 0)
    vault.store(in: &span, at: 16)
    span.store(bigEndian: kind.rawValue, at: 32)
    record.store(in: &span, at: 33)
    span.store(bigEndian: revision, at: 49)
    return try body(span.bytes)
  }
}
