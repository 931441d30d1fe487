/// An error in the bytes of a card record. The error never contains the bytes.
public enum CardRecordError: Error, Hashable, Sendable {
  /// The bytes end inside the head or an entry.
  case truncated
  /// The version is not 1.
  case unknownVersion
  /// A bit of the flags is set that version 1 does not know.
  case unknownFlags
  /// The group is neither personal nor company.
  case unknownGroup
  case unknownType
  /// The reserved bytes of the head are not zero.
  case reservedNotZero
  case unknownRole
  /// The title is missing, not first, or there twice.
  case misplacedTitle
  /// An entry that has no key carries one.
  case unexpectedKey
  /// A field that the card's template does not have, or out of the template's order, or there twice.
  case misplacedField
  /// A field of the template with an empty value, which is written by leaving it out.
  case emptyField
  /// An attachment's entry that is not laid out as one, or that is not among the last.
  case malformedAttachment
  /// A text that is not UTF-8.
  case invalidText
  /// When encoding: a text longer than its length can say.
  case tooLong
  /// When encoding: the span does not have the size of the record.
  case wrongSize
}

/// The plaintext of a card's sealed record, version 1, as the vault format lays it out. All integers are big-endian.
///
/// Head: version 1 (1 byte) ‖ flags (1: bit 0 pinned) ‖ group (1) ‖ type (1) ‖ zero (4) ‖ created at (8) ‖ modified
/// at (8). Then entries to the end: role (1) ‖ flags (1) ‖ key length (2) ‖ value length (4) ‖ key ‖ value.
///
/// Index, filter and search read a record in place, in the buffer that it was decrypted into.
public enum CardRecord {
  /// The number of bytes of the head.
  public static let headByteCount = 24
  static let entryHeadByteCount = 8

  /// The role of an entry. The raw value is its number in the record.
  public enum Role: UInt8, Hashable, Sendable {
    /// The title: exactly one, the first entry.
    case title = 1
    case tag = 2
    /// A field of the template; the key is the field's.
    case field = 3
    /// An extra field; its key is its label.
    case extraField = 4
    /// An attachment: the key is its name, the value is binary.
    case attachment = 5

    fileprivate var hasKey: Bool { self == .field || self == .extraField || self == .attachment }
  }

  /// The head of a record, which listing and filtering need.
  public struct Head: Hashable, Sendable {
    public var pinned: Bool
    public var isInTrash = false
    public var group: CardGroup
    public var type: CardType
    /// When the card was created.
    public var createdAt: Timestamp
    /// When the card was last modified.
    public var modifiedAt: Timestamp
  }

  /// The location of an entry in its record.
  public struct Entry: Hashable, Sendable {
    public let role: Role
    /// Whether the value of an extra field is concealed; false for every other role.
    public let concealed: Bool
    /// The offsets of the key's bytes in the record.
    public let key: Range<Int>
    /// The offsets of the value's bytes in the record.
    public let value: Range<Int>
  }

  /// Reads the head of a record.
  /// - Throws: ``CardRecordError`` when the head is malformed.
  public static func head(of record: RawSpan) throws(CardRecordError) -> Head {
    guard record.byteCount >= headByteCount else { throw .truncated }
    guard byte(0, of: record) == 1 else { throw .unknownVersion }
    let flags = byte(1, of: record)
    guard flags & ~3 == 0 else { throw .unknownFlags }
    guard let group = CardGroup(recordCode: byte(2, of: record)) else { throw .unknownGroup }
    guard let type = CardType(recordCode: byte(3, of: record)) else { throw .unknownType }
    guard integer(4, 4, of: record) == 0 else { throw .reservedNotZero }
    return Head(
      pinned: flags & 1 == 1, isInTrash: flags & 2 == 2, group: group, type: type,
      createdAt: Timestamp(milliseconds: Int64(bitPattern: integer(8, 8, of: record))),
      modifiedAt: Timestamp(milliseconds: Int64(bitPattern: integer(16, 8, of: record))))
  }

  /// Goes through the entries of a record without copying anything.
  public struct Cursor: Sendable {
    private var position = CardRecord.headByteCount

    public init() {}

    /// The next entry, or nil at the end of the record.
    /// - Parameter record: the same record at each call.
    /// - Throws: ``CardRecordError`` when the entry is malformed or out of place.
    public mutating func next(in record: RawSpan) throws(CardRecordError) -> Entry? {
      let isFirst = position == CardRecord.headByteCount
      let rest = record.byteCount - position
      if rest == 0 && !isFirst { return nil }
      guard rest >= CardRecord.entryHeadByteCount else { throw .truncated }
      guard let role = Role(rawValue: CardRecord.byte(position, of: record)) else { throw .unknownRole }
      guard (role == .title) == isFirst else { throw .misplacedTitle }
      let flags = CardRecord.byte(position + 1, of: record)
      guard flags == 0 || flags == 1 && role == .extraField else { throw .unknownFlags }
      let keyCount = Int(CardRecord.integer(position + 2, 2, of: record))
      let valueCount = Int(CardRecord.integer(position + 4, 4, of: record))
      guard keyCount + valueCount <= rest - CardRecord.entryHeadByteCount else { throw .truncated }
      guard keyCount == 0 || role.hasKey else { throw .unexpectedKey }
      let keyStart = position + CardRecord.entryHeadByteCount
      let valueStart = keyStart + keyCount
      position = valueStart + valueCount
      return Entry(
        role: role, concealed: flags == 1, key: keyStart..<valueStart, value: valueStart..<position)
    }
  }

  /// Calls a closure with each entry of a record, in order, without copying anything.
  /// - Parameters:
  ///   - record: the bytes of the record.
  ///   - body: receives the role, whether the value is concealed, and the bytes of key and value.
  /// - Throws: ``CardRecordError`` if the record is malformed, after the entries before that point were passed to `body`.
  public static func forEachEntry(
    in record: RawSpan,
    _ body: (_ role: Role, _ concealed: Bool, _ key: RawSpan, _ value: RawSpan) throws(CardRecordError) ->
      Void
  ) throws(CardRecordError) {
    _ = try head(of: record)
    var cursor = Cursor()
    while let entry = try cursor.next(in: record) {
      try body(entry.role, entry.concealed, record.extracting(entry.key), record.extracting(entry.value))
    }
  }

  /// One byte; the caller has checked that the record reaches so far, and so does the load.
  static func byte(_ offset: Int, of record: RawSpan) -> UInt8 {
    unsafe record.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  static func integer(_ offset: Int, _ byteCount: Int, of record: RawSpan) -> UInt64 {
    var result: UInt64 = 0
    for index in offset..<offset + byteCount { result = result << 8 | UInt64(byte(index, of: record)) }
    return result
  }

  /// Whether a range of a record holds the given bytes.
  static func bytes(_ range: Range<Int>, of record: RawSpan, equal other: some Collection<UInt8>) -> Bool {
    guard range.count == other.count else { return false }
    var offset = range.lowerBound
    for expected in other {
      if byte(offset, of: record) != expected { return false }
      offset += 1
    }
    return true
  }

  /// Checks a record as ``decode(_:id:revision:)`` does, without copying a text out of it.
  ///
  /// - Throws: ``CardRecordError`` for every departure from the layout.
  public static func check(_ record: RawSpan) throws(CardRecordError) {
    var remaining = try head(of: record).type.template.fields[...]
    var (cursor, hasAttachment) = (Cursor(), false)
    while let entry = try cursor.next(in: record) {
      if entry.role == .attachment {
        _ = try AttachmentEntry.read(entry, of: record)
        hasAttachment = true
        continue
      }
      guard !hasAttachment else { throw .malformedAttachment }
      guard isText(entry.key, of: record), isText(entry.value, of: record) else { throw .invalidText }
      guard entry.role == .field else { continue }
      remaining = remaining.drop { !bytes(entry.key, of: record, equal: $0.key.utf8) }
      guard remaining.popFirst() != nil else { throw .misplacedField }
      guard !entry.value.isEmpty else { throw .emptyField }
    }
  }

  private static func isText(_ range: Range<Int>, of record: RawSpan) -> Bool {
    unsafe record.withUnsafeBytes { bytes in
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
      return unsafe (try? UTF8Span(validating: text.span)) != nil
    }
  }
}

extension CardGroup {
  init?(recordCode: UInt8) {
    switch recordCode {
    case 1: self = .personal
    case 2: self = .company
    default: return nil
    }
  }

  var recordCode: UInt8 {
    switch self {
    case .personal: 1
    case .company: 2
    }
  }
}

extension CardType {
  init?(recordCode: UInt8) {
    switch recordCode {
    case 1: self = .address
    case 2: self = .invoice
    case 3: self = .text
    case 4: self = .title
    default: return nil
    }
  }

  var recordCode: UInt8 {
    switch self {
    case .address: 1
    case .invoice: 2
    case .text: 3
    case .title: 4
    }
  }
}
