public import Wire

extension CardRecord {
  /// The card of a record, checked in full.
  /// - Parameters:
  ///   - record: the bytes of the record.
  ///   - id: the card's identifier, which is not in the record.
  ///   - revision: the card's revision, which is not in the record.
  /// - Throws: ``CardRecordError`` for every departure from the layout.
  public static func decode(
    _ record: RawSpan, id: Identifier, revision: Int64
  ) throws(CardRecordError) -> Card {
    let head = try head(of: record)
    var draft = CardDraft(title: "", group: head.group, type: head.type, pinned: head.pinned)
    var remaining = head.type.template.fields[...]
    var attachments: [Attachment] = []
    var cursor = Cursor()
    while let entry = try cursor.next(in: record) {
      if entry.role == .attachment {
        attachments.append(try AttachmentEntry.read(entry, of: record))
        continue
      }
      guard attachments.isEmpty else { throw .malformedAttachment }
      let value = try text(entry.value, of: record)
      switch entry.role {
      case .attachment: break
      case .title: draft.title = value
      case .tag: draft.tags.append(value)
      case .field:
        let key = try text(entry.key, of: record)
        remaining = remaining.drop { $0.key != key }
        guard remaining.popFirst() != nil else { throw .misplacedField }
        guard !value.isEmpty else { throw .emptyField }
        draft.fields[key] = value
      case .extraField:
        let label = try text(entry.key, of: record)
        draft.extraFields.append(ExtraField(label: label, value: value, concealed: entry.concealed))
      }
    }
    var card = Card(
      draft, id: id, revision: revision, createdAt: head.createdAt, modifiedAt: head.modifiedAt,
      attachments: attachments)
    card.isInTrash = head.isInTrash
    return card
  }

  /// The title of a record, for listings that show nothing else.
  /// - Throws: ``CardRecordError`` when the head or the title is malformed.
  public static func title(of record: RawSpan) throws(CardRecordError) -> String {
    _ = try head(of: record)
    var cursor = Cursor()
    guard let entry = try cursor.next(in: record) else { throw .misplacedTitle }
    return try text(entry.value, of: record)
  }

  static func text(_ range: Range<Int>, of record: RawSpan) throws(CardRecordError) -> String {
    let text = unsafe record.withUnsafeBytes { bytes in
      unsafe String(validating: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
    guard let text else { throw .invalidText }
    return text
  }

  /// Returns the size of a card's record in bytes.
  /// - Throws: as ``encode(_:into:)`` does.
  public static func byteCount(of card: Card) throws(CardRecordError) -> Int {
    byteCount(of: try entries(of: card))
  }

  private static func byteCount(of entries: [EntryText]) -> Int {
    entries.reduce(headByteCount) { $0 + entryHeadByteCount + $1.key.utf8.count + $1.value.count }
  }

  /// Writes the record of a card into memory of the caller's, which can be memory for secrets.
  /// - Parameters:
  ///   - card: a valid card.
  ///   - span: exactly ``byteCount(of:)`` bytes.
  /// - Throws: ``CardRecordError/wrongSize``, ``CardRecordError/tooLong`` for a key or value beyond the layout's lengths, or
  ///   ``CardRecordError/misplacedField`` for a field that the template does not have.
  public static func encode(_ card: Card, into span: inout MutableRawSpan) throws(CardRecordError) {
    guard card.fields.keys.allSatisfy({ card.type.template.field($0) != nil }) else { throw .misplacedField }
    let entries = try entries(of: card)
    for entry in entries {
      guard entry.key.utf8.count <= UInt16.max, entry.value.count <= UInt32.max else { throw .tooLong }
    }
    guard span.byteCount == byteCount(of: entries) else { throw .wrongSize }
    var writer = Writer()
    writer.write(
      [
        1, (card.pinned ? 1 : 0) | (card.isInTrash ? 2 : 0), card.group.recordCode, card.type.recordCode, 0,
        0, 0, 0,
      ], to: &span)
    writer.write(UInt64(bitPattern: card.createdAt.milliseconds), 8, to: &span)
    writer.write(UInt64(bitPattern: card.modifiedAt.milliseconds), 8, to: &span)
    for entry in entries {
      writer.write([entry.role.rawValue, entry.concealed ? 1 : 0], to: &span)
      writer.write(UInt64(entry.key.utf8.count), 2, to: &span)
      writer.write(UInt64(entry.value.count), 4, to: &span)
      writer.write(entry.key.utf8, to: &span)
      writer.write(entry.value, to: &span)
    }
  }

  /// The record of a card as an array, for where the bytes are no secret, as in vectors and tests.
  /// - Throws: ``CardRecordError`` as ``encode(_:into:)`` does.
  public static func encode(_ card: Card) throws(CardRecordError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try byteCount(of: card))
    var mutableSpan = bytes.mutableSpan
    var span = unsafe mutableSpan.mutableBytes
    try encode(card, into: &span)
    return bytes
  }

  private struct EntryText {
    let role: Role
    var concealed = false
    var key = ""
    let value: [UInt8]
  }

  private static func entries(of card: Card) throws(CardRecordError) -> [EntryText] {
    var entries = [EntryText(role: .title, value: Array(card.title.utf8))]
    entries += card.tags.map { EntryText(role: .tag, value: Array($0.utf8)) }
    entries += card.orderedFields.filter { !$0.value.isEmpty }
      .map { EntryText(role: .field, key: $0.field.key, value: Array($0.value.utf8)) }
    entries += card.extraFields.map {
      EntryText(role: .extraField, concealed: $0.concealed, key: $0.label, value: Array($0.value.utf8))
    }
    for attachment in card.attachments {
      let value = try AttachmentEntry.value(of: attachment)
      entries.append(EntryText(role: .attachment, key: attachment.name, value: value))
    }
    return entries
  }

  /// Writes bytes one after another; every store is checked against the span.
  private struct Writer {
    private var position = 0

    mutating func write(_ bytes: some Sequence<UInt8>, to span: inout MutableRawSpan) {
      for byte in bytes {
        span.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
        position += 1
      }
    }

    mutating func write(_ number: UInt64, _ byteCount: Int, to span: inout MutableRawSpan) {
      for index in (0..<byteCount).reversed() {
        write(CollectionOfOne(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))), to: &span)
      }
    }
  }
}

extension CardRecord {
  /// The card of a record without its values, as lists show it: no value is copied out of the record.
  /// - Throws: ``CardRecordError`` if the part of the record that is read is malformed.
  public static func summary(
    _ record: RawSpan, id: Identifier, revision: Int64
  ) throws(CardRecordError) -> Card {
    let head = try head(of: record)
    let draft = CardDraft(
      title: try title(of: record), group: head.group, type: head.type, tags: try tags(of: record),
      pinned: head.pinned)
    var card = Card(
      draft, id: id, revision: revision, createdAt: head.createdAt, modifiedAt: head.modifiedAt,
      attachments: try fullAttachments(of: record))
    card.isInTrash = head.isInTrash
    return card
  }

  private static func fullAttachments(of record: RawSpan) throws(CardRecordError) -> [Attachment] {
    var attachments: [Attachment] = []
    var cursor = Cursor()
    while let entry = try cursor.next(in: record) {
      if entry.role == .attachment { attachments.append(try AttachmentEntry.read(entry, of: record)) }
    }
    return attachments
  }

  /// The tags of a record.
  /// - Throws: ``CardRecordError`` when an entry is malformed.
  public static func tags(of record: RawSpan) throws(CardRecordError) -> [String] {
    var tags: [String] = []
    var cursor = Cursor()
    while let entry = try cursor.next(in: record) {
      if entry.role == .tag { tags.append(try text(entry.value, of: record)) }
    }
    return tags
  }
}
