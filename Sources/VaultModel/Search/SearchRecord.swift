extension SearchQuery {
  /// Whether the card of an encoded record matches, read in place; nothing of the record outlives the buffer.
  ///
  /// If a word's bytes occur nowhere in the record, one pass over it decides, without parsing its entries.
  /// - Parameters:
  ///   - record: the bytes of the record.
  ///   - hasAttachment: whether the card has an attachment; only looked at when ``asksForAttachment``.
  ///   - buffer: memory that is used again for the next record; wipe it after the last.
  /// - Throws: ``CardRecordError`` if the part of the record that was read is malformed.
  public func matches(
    record: RawSpan, hasAttachment: Bool, using buffer: inout SearchBuffer
  ) throws(CardRecordError) -> Bool {
    let head = try CardRecord.head(of: record)
    guard matches(head, hasAttachment: hasAttachment) else { return false }
    guard !terms.isEmpty else { return true }
    guard unsafe record.withUnsafeBytes({ unsafe mayMatch($0) }) else { return false }
    try Self.fold(record, into: &buffer)
    for index in terms.indices where !terms[index].isIn(buffer, record) { return false }
    return true
  }

  /// Whether every word may occur somewhere in the unparsed record.
  private func mayMatch(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    let record = unsafe SearchedBytes(start, count: bytes.count)
    let content = CardRecord.headByteCount..<record.count
    return record.mayFold(in: content) || terms.indices.allSatisfy { terms[$0].isIn(record, content) }
  }

  /// Fills the buffer with the folded texts of a record that can be searched.
  static func fold(
    _ record: RawSpan, into buffer: inout SearchBuffer
  ) throws(CardRecordError) {
    buffer.removeAll()
    var cursor = CardRecord.Cursor()
    while let entry = try cursor.next(in: record) {
      // The name of an attachment is no text of the card.
      let isConcealed =
        entry.concealed || entry.role == .attachment
        || entry.role == .field && concealsField(entry, of: record)
      if !isConcealed { buffer.addSegment(entry, of: record) }
    }
  }

  private static let concealedKeys = CardTemplate.all.flatMap(\.fields).filter(\.concealed).map(\.key)

  private static func concealsField(_ entry: CardRecord.Entry, of record: RawSpan) -> Bool {
    concealedKeys.contains { CardRecord.bytes(entry.key, of: record, equal: $0.utf8) }
  }
}

extension SearchQuery.Term {
  /// Whether the term is somewhere in a range of the bytes.
  fileprivate func isIn(_ searched: SearchedBytes, _ range: Range<Int>) -> Bool {
    if searched.contains(bytes, in: range) { return true }
    guard let pinyin else { return false }
    return searched.contains(pinyin, in: range)
  }

  fileprivate func isIn(_ buffer: borrowing SearchBuffer, _ record: RawSpan) -> Bool {
    for segment in buffer.segments where applies(to: segment, of: record) {
      if isIn(buffer, segment) { return true }
    }
    return false
  }

  /// Whether the term is in one text of the record.
  func isIn(_ buffer: borrowing SearchBuffer, _ segment: SearchBuffer.Segment) -> Bool {
    buffer.withBytes { isIn($0, segment.text) }
  }

  /// Whether the term searches a text of the record.
  func applies(to segment: SearchBuffer.Segment, of record: RawSpan) -> Bool {
    switch (scope, segment.role) {
    case (.anywhere, _), (.title, .title), (.tag, .tag): true
    case (.field(let wanted), .field): CardRecord.bytes(segment.key, of: record, equal: wanted.utf8)
    default: false
    }
  }
}
