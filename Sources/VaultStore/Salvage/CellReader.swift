/// A value of a row as stored in a page.
enum StoredValue: Equatable {
  case null
  case integer(Int64)
  case text([UInt8])
  case blob([UInt8])
}

/// A row that was found in a page: its number, if its table has one, and its values.
struct StoredRow {
  let number: Int64?
  let values: [StoredValue]
}

/// Reads rows page by page, without SQLite's tree of pages, so that a damaged page loses only its own rows.
///
/// Source: <https://www.sqlite.org/fileformat2.html>, "B-tree Pages", "Record Format". Every length and offset is
/// checked; what does not fit is skipped.
struct CellReader {
  private let source: PageSource
  private let longest: Int

  /// - Parameter longest: the most bytes of a row; longer ones are skipped.
  init(_ source: PageSource, longest: Int = LengthLimit.row) {
    self.source = source
    self.longest = longest
  }

  /// Visits every row of every page of tables and of trees that hold rows.
  func forEachRow(_ body: (StoredRow) throws -> Void) throws {
    try source.forEachPage { number, page in
      try forEachRow(in: page, at: number == 1 ? 100 : 0, body)
    }
  }

  /// The rows of one page, by its number and bytes.
  func rows(in page: [UInt8], _ number: Int) -> [StoredRow] {
    var rows: [StoredRow] = []
    forEachRow(in: page, at: number == 1 ? 100 : 0) { rows.append($0) }
    return rows
  }

  private enum PageKind: UInt8 {
    case indexInterior = 2
    case indexLeaf = 10
    case tableLeaf = 13
  }

  private func forEachRow(
    in page: [UInt8], at start: Int, _ body: (StoredRow) throws -> Void
  ) rethrows {
    guard let kind = PageKind(rawValue: page[start]) else { return }
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    let pointers = start + (kind == .indexInterior ? 12 : 8)
    for index in 0..<count {
      let pointer = pointers + 2 * index
      guard pointer + 2 <= source.usableSize else { return }
      let cell = Int(page[pointer]) << 8 | Int(page[pointer + 1])
      guard cell >= pointers, cell < source.usableSize else { continue }
      if let row = row(in: page, at: cell, kind) { try body(row) }
    }
  }

  private func row(in page: [UInt8], at cell: Int, _ kind: PageKind) -> StoredRow? {
    var cursor = ByteCursor(page[..<source.usableSize], at: kind == .indexInterior ? cell + 4 : cell)
    guard let length = cursor.varint().flatMap({ Int(exactly: $0) }), length <= longest else {
      return nil
    }
    var number: Int64?
    if kind == .tableLeaf {
      number = cursor.varint()
      guard number != nil else { return nil }
    }
    guard let payload = payload(length, &cursor, kind), let values = Self.values(of: payload) else {
      return nil
    }
    return StoredRow(number: number, values: values)
  }

  /// The bytes of a row, those on overflow pages included; nil if the chain of these is broken.
  private func payload(_ length: Int, _ cursor: inout ByteCursor, _ kind: PageKind) -> [UInt8]? {
    guard length >= 0 else { return nil }
    let usable = source.usableSize
    let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else { return cursor.bytes(length).map(Array.init) }
    let least = (usable - 12) * 32 / 255 - 23
    let wanted = least + (length - least) % (usable - 4)
    guard let local = cursor.bytes(wanted <= most ? wanted : least),
      var next = cursor.integer(4).map({ Int($0) })
    else { return nil }
    var payload = Array(local)
    while payload.count < length {
      guard let page = source.overflowPage(next) else { return nil }
      payload += page[4..<min(usable, 4 + length - payload.count)]
      next = page[..<4].reduce(0) { $0 << 8 | Int($1) }
    }
    return payload
  }

  /// The values of a record; nil if its header does not fit it.
  private static func values(of payload: [UInt8]) -> [StoredValue]? {
    var header = ByteCursor(payload[...], at: 0)
    guard let length = header.varint().flatMap({ Int(exactly: $0) }), length <= payload.count else {
      return nil
    }
    var body = ByteCursor(payload[...], at: length)
    var values: [StoredValue] = []
    while header.position < length {
      guard let type = header.varint(), header.position <= length, let value = value(type, &body) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  private static func value(_ type: Int64, _ body: inout ByteCursor) -> StoredValue? {
    switch type {
    case 0: .null
    case 1...4: body.integer(Int(type)).map { .integer($0) }
    case 5: body.integer(6).map { .integer($0) }
    case 6: body.integer(8).map { .integer($0) }
    case 8: .integer(0)
    case 9: .integer(1)
    case 12...:
      body.bytes(Int(clamping: (type - 12) / 2)).map { type % 2 == 0 ? .blob(Array($0)) : .text(Array($0)) }
    default: nil
    }
  }
}

/// Reads integers from bytes, never beyond their end.
private struct ByteCursor {
  private let content: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ content: ArraySlice<UInt8>, at position: Int) {
    self.content = content
    self.position = position
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard position >= content.startIndex, count >= 0, count <= content.endIndex - position else { return nil }
    defer { position += count }
    return content[position..<position + count]
  }

  /// A signed big-endian integer.
  mutating func integer(_ count: Int) -> Int64? {
    guard let bytes = bytes(count), let first = bytes.first else { return nil }
    return bytes.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
  }

  /// SQLite's integer of one to nine bytes.
  mutating func varint() -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = bytes(1)?.first else { return nil }
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: value)
  }
}
