/// Reads tables: the first row names the columns.
enum CSVImport {
  /// Reads a table in UTF-8.
  /// - Throws: ``ImportError``, for a file without a first row too.
  static func read(
    _ text: [UInt8], _ encoding: TextEncoding, _ options: ImportOptions
  ) throws(ImportError) -> ImportedFile {
    var reader = CSVReader(text)
    guard let first = try reader.next() else { throw .unreadable(.empty, line: nil) }
    guard !first.isUnfinished else { throw .unreadable(.malformed, line: first.line) }
    let header = try CSVHeader(first.cells, options)
    reader.hasBackslashEscapes = header.hasBackslashEscapes
    var file = ImportedFile(.csv, encoding, source: header.source)
    file.mapping = header.columns
    while let row = try reader.next() {
      if row.isUnfinished {
        try file.add(ImportEntry(line: row.line, unreadable: ImportMessages.unfinished))
      } else if row.cells.contains(where: { !$0.isEmpty }) {
        try file.add(CSVRow(row, header, options).entry(line: row.line))
      }
    }
    return file
  }

  /// Whether a text may be a table: its first line that is not blank has several cells and no NUL.
  static func recognizes(_ text: [UInt8]) -> Bool {
    var reader = CSVReader(text)
    guard let first = try? reader.next(), !first.isUnfinished else { return false }
    return first.cells.count > 1 && first.cells.allSatisfy { !$0.utf8.contains(0) }
  }
}
