extension CardRecord {
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
