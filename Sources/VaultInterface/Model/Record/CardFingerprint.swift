import Wire

/// A fingerprint of a card's content: type, group, folded title, fields with their labels, and tags. Equal contents have
/// equal fingerprints.
///
/// Identifier, times, pin and attachments do not count. A fingerprint is good
/// for comparing within one run of the program only; two cards of different content have the same one by a chance of 2⁻¹²⁸.
public struct CardFingerprint: Hashable, Sendable {
  private var first: UInt64
  private var second: UInt64

  /// The fingerprint of an encoded record, read in place: no value is copied out of it.
  /// - Throws: ``CardRecordError`` when the record is malformed.
  public init(of record: RawSpan) throws(CardRecordError) {
    let head = try CardRecord.head(of: record)
    first = UInt64(head.type.recordCode) | UInt64(head.group.recordCode) << 8
    second = first
    var cursor = CardRecord.Cursor()
    while let entry = try cursor.next(in: record) {
      switch entry.role {
      case .title: add(1, text: Self.comparable(try CardRecord.title(of: record)))
      case .field: add(2, record, entry.key, entry.value)
      case .extraField: add(entry.concealed ? 3 : 4, record, entry.key, entry.value)
      case .tag:
        let tag = unsafe record.extracting(entry.value).withUnsafeBytes {
          unsafe String(decoding: $0, as: UTF8.self)
        }
        add(5, text: Self.comparable(tag))
      case .attachment: break
      }
    }
  }

  /// The fingerprint of a card.
  /// - Throws: ``CardRecordError`` for a card that cannot be encoded.
  public init(of card: Card) throws(CardRecordError) {
    let record = try CardRecord.encode(card)
    try unsafe self.init(of: record.span.bytes)
  }

  /// A title or a tag without white space at its ends, case and width, in the order of its code points.
  private static func comparable(_ text: String) -> [Unicode.Scalar] {
    FoldedText(text.trimmed).scalars
  }

  private mutating func add(_ role: UInt8, text: [Unicode.Scalar]) {
    var hasher = Hasher()
    hasher.combine(role)
    hasher.combine(text)
    add(hasher)
  }

  private mutating func add(_ role: UInt8, _ record: RawSpan, _ key: Range<Int>, _ value: Range<Int>) {
    var hasher = Hasher()
    hasher.combine(role)
    hasher.combine(key.count)
    unsafe record.extracting(key).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    hasher.combine(value.count)
    unsafe record.extracting(value).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    add(hasher)
  }

  /// Adds an entry: the order of entries does not count.
  private mutating func add(_ hasher: Hasher) {
    var other = hasher
    other.combine(UInt8.max)
    first &+= UInt64(bitPattern: Int64(hasher.finalize()))
    second &+= UInt64(bitPattern: Int64(other.finalize()))
  }
}
