extension SearchQuery {
  /// How well the card of an encoded record fits, read in place; nothing of the record outlives the buffer.
  ///
  /// If a word's bytes occur nowhere in the record, one pass over it decides, without parsing its entries.
  /// - Parameters:
  ///   - record: the bytes of the record.
  ///   - hasAttachment: whether the card has an attachment; only looked at when ``asksForAttachment``.
  ///   - buffer: memory that is used again for the next record; wipe it after the last.
  ///   - pass: is told of the work, about a nanosecond each, as it is done; what it throws ends the search.
  /// - Returns: nil if the card does not match.
  /// - Throws: ``CardRecordError`` if the part of the record that was read is malformed; what `pass` throws.
  public func rank(
    record: RawSpan, hasAttachment: Bool, using buffer: inout SearchBuffer,
    pass: (_ work: Int) throws -> Void = { _ in }
  ) throws -> SearchRank? {
    let head = try CardRecord.head(of: record)
    guard matches(head, hasAttachment: hasAttachment) else { return nil }
    guard !terms.isEmpty else { return .title }
    guard try mayMatch(record, pass) else { return nil }
    try fold(record, into: &buffer, pass)
    var worst = SearchRank.title
    for index in terms.indices {
      guard let place = try terms[index].place(in: buffer, record, pass) else { return nil }
      if terms[index].isRanked { worst = max(worst, place) }
    }
    guard let title = buffer.segments.first?.text else { return worst }
    return rank(worst) { $0.rank(ofTitle: title, in: buffer) }
  }

  /// The size up to which a record is looked at whole before its parts; a larger one would be for too long.
  private static let wholeRecordLimit = 64 << 10

  /// Whether every word may occur somewhere in the unparsed record.
  private func mayMatch(_ record: RawSpan, _ pass: (Int) throws -> Void) throws -> Bool {
    guard record.byteCount <= Self.wholeRecordLimit else { return true }
    return try unsafe record.withUnsafeBytes { (bytes) throws in
      guard let start = bytes.baseAddress else { return false }
      let record = unsafe SearchedBytes(start, count: bytes.count)
      let content = CardRecord.headByteCount..<record.count
      if record.mayFold(in: content) { return true }
      for index in terms.indices {
        guard try terms[index].mayBeIn(record, content, pass) else { return false }
      }
      return true
    }
  }

  /// Fills the buffer with the folded texts of a record that can be searched.
  func fold(
    _ record: RawSpan, into buffer: inout SearchBuffer, _ pass: (Int) throws -> Void
  ) throws {
    buffer.removeAll()
    var cursor = CardRecord.Cursor()
    while let entry = try cursor.next(in: record) {
      // The name of an attachment is no text of the card.
      let isConcealed =
        entry.concealed || entry.role == .attachment
        || entry.role == .field && Self.concealsField(entry, of: record)
      guard !isConcealed else { continue }
      let needsLabel = asksForLabel && entry.role == .extraField
      let lookups = buffer.addSegment(entry, of: record, withLabel: needsLabel)
      try pass(entry.value.count * 4 + lookups * 128)
    }
  }

  private static let concealedKeys = CardTemplate.all.flatMap(\.fields).filter(\.concealed).map(\.key)

  private static func concealsField(_ entry: CardRecord.Entry, of record: RawSpan) -> Bool {
    concealedKeys.contains { CardRecord.bytes(entry.key, of: record, equal: $0.utf8) }
  }
}

extension SearchQuery.Term {
  /// Looks for the term in a range of the bytes.
  ///
  /// - Returns: whether it is there, and how much work that was.
  fileprivate func search(_ searched: SearchedBytes, _ range: Range<Int>) -> (isFound: Bool, work: Int) {
    if searched.contains(bytes, in: range) { return (true, range.count) }
    if let number, searched.contains(number, in: range) { return (true, range.count * 2) }
    guard let pinyin else { return (false, range.count) }
    var steps = 0
    let isFound = searched.contains(pinyin, in: range, &steps)
    return (isFound, range.count + steps * 16)
  }

  /// Whether the term may be in the unparsed record.
  fileprivate func mayBeIn(
    _ record: SearchedBytes, _ content: Range<Int>, _ pass: (Int) throws -> Void
  ) throws -> Bool {
    let (isFound, work) = search(record, content)
    try pass(work)
    return try isFound || alternatives.contains { try $0.mayBeIn(record, content, pass) }
  }

  /// The best place in which the term is found; nil for none.
  fileprivate func place(
    in buffer: borrowing SearchBuffer, _ record: RawSpan, _ pass: (Int) throws -> Void
  ) throws -> SearchRank? {
    var best: SearchRank?
    for segment in buffer.segments where applies(to: segment, in: buffer, of: record) {
      let place = SearchRank(segment.role)
      if let best, best <= place { continue }
      let (isFound, work) = buffer.withBytes { search($0, segment.text) } ?? (false, 0)
      try pass(work)
      guard isFound else { continue }
      // The title comes first.
      if place == .title { return place }
      best = place
    }
    if let best { return best }
    for alternative in alternatives {
      if let place = try alternative.place(in: buffer, record, pass) { return place }
    }
    return nil
  }

  /// Whether the term is in one text of the record.
  func isIn(_ buffer: borrowing SearchBuffer, _ segment: SearchBuffer.Segment) -> Bool {
    buffer.withBytes { search($0, segment.text).isFound } ?? false
  }

  /// Whether the term searches a text of the record.
  func applies(
    to segment: SearchBuffer.Segment, in buffer: borrowing SearchBuffer, of record: RawSpan
  ) -> Bool {
    switch (scope, segment.role) {
    case (.anywhere, _), (.title, .title), (.tag, .tag): true
    case (.field(let wanted), .field):
      wanted.keys.contains { CardRecord.bytes(segment.key, of: record, equal: $0.utf8) }
    case (.field(let wanted), .extraField): buffer.holds(wanted.label, in: segment.label)
    default: false
    }
  }
}
