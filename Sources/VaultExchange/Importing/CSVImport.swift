import VaultInterface

/// Reads tables: a row near the start names the columns, or each row names its own values.
enum CSVImport {
  /// How many rows are looked at for the names of the columns.
  private static let headerRows = 10

  /// Reads a table in UTF-8.
  /// - Throws: ``ImportError``, for a file without a first row too.
  static func read(
    _ text: [UInt8], _ encoding: TextEncoding, _ options: ImportOptions
  ) throws(ImportError) -> ImportedFile {
    let rows = try firstRows(text)
    guard let first = rows.first else { throw .unreadable(.empty, line: nil) }
    guard !first.isUnfinished else { throw .unreadable(.malformed, line: first.line) }
    if options.mapping.isEmpty, PairedRow.recognizes(rows.map(\.cells)) {
      return try readPairs(text, first, encoding, options)
    }
    let place = headerPlace(rows.map(\.cells), options)
    let header =
      if let place {
        try CSVHeader(rows[place].cells, options)
      } else {
        try CSVHeader(guessedFrom: rows.map(\.cells), options)
      }
    var file = ImportedFile(.csv, encoding, source: header.source)
    file.mapping = header.columns
    file.warnings = header.warnings
    var reader = CSVReader(text)
    if let place {
      for _ in 0..<place { try skip(&reader, in: &file) }
      _ = try reader.next()
    }
    reader.escapes = header.escapes
    while let row = try reader.next() {
      if row.isUnfinished {
        try file.add(
          ImportEntry(line: row.line, unreadable: ImportMessages.unfinished, source: sources(row.cells)))
      } else if row.cells.contains(where: { !$0.isEmpty }) {
        try file.add(CSVRow(row, header, options).entry(line: row.line))
      }
    }
    return file
  }

  /// Whether a text may be a table: its first line that is not blank has several cells and no NUL.
  static func recognizes(_ text: [UInt8]) -> Bool {
    guard let rows = try? firstRows(text), let first = rows.first, !first.isUnfinished else { return false }
    return rows.count { $0.cells.count > 1 } * 2 >= rows.count
      && first.cells.allSatisfy { !$0.utf8.contains(0) }
  }

  private static func firstRows(_ text: [UInt8]) throws(ImportError) -> [CSVReader.Row] {
    var reader = CSVReader(text)
    var rows: [CSVReader.Row] = []
    while rows.count < headerRows, let row = try reader.next() { rows.append(row) }
    return rows
  }

  private static func sources(_ cells: [String]) -> [SourceValue] {
    cells.enumerated().map { SourceValue(ImportMessages.column($0 + 1).english, $1) }
  }

  /// Skips a row above the names, such as the title of a table or a comment.
  private static func skip(_ reader: inout CSVReader, in file: inout ImportedFile) throws(ImportError) {
    let count = try reader.next()?.cells.count { !$0.isBlank } ?? 0
    let warning = Issue(field: "", code: .leftOut, message: ImportMessages.notImported(ImportMessages.header))
    file.leaveOut(count, file.rest.values == 0 ? warning : nil)
  }

  // MARK: Where the names are

  /// The place of the row that names the columns; nil if there is none.
  private static func headerPlace(_ rows: [[String]], _ options: ImportOptions) -> Int? {
    let asked = Set(options.mapping.keys)
    if !asked.isEmpty, let place = rows.firstIndex(where: { Set($0.map(\.trimmed)).isSuperset(of: asked) }) {
      return place
    }
    let known = rows.map { isData($0) ? 0 : ColumnName.knownCount($0) }
    guard let best = known.max(), best > 0, let place = known.firstIndex(of: best) else {
      let numbers = (1...CSVReader.cellLimit).lazy.map { ImportMessages.column($0)[options.language] }
      return asked.isEmpty || asked.allSatisfy(numbers.contains) ? nil : 0
    }
    let isTitle = { (row: [String]) in
      row.first?.hasPrefix("#") ?? false || row.count { !$0.isBlank } * 2 <= rows[place].count
    }
    if best >= 2, rows[..<place].allSatisfy(isTitle) { return place }
    return known[0] > 0 ? 0 : nil
  }

  /// Whether a row has values that no column is called by.
  private static func isData(_ row: [String]) -> Bool {
    row.contains { cell in
      let cell = cell.lowercased()
      return cell.contains("://") || cell.contains("@") || PhoneNumber.isValid(cell)
        || cell.count { $0.isNumber } > 4 || cell.hasPrefix("www.")
    }
  }

  private static func readPairs(
    _ text: [UInt8], _ first: CSVReader.Row, _ encoding: TextEncoding, _ options: ImportOptions
  ) throws(ImportError) -> ImportedFile {
    var file = ImportedFile(.csv, encoding, source: "Enpass")
    var reader = CSVReader(text)
    if PairedRow.isHeader(first.cells) { _ = try reader.next() }
    while let row = try reader.next() {
      if row.isUnfinished {
        try file.add(
          ImportEntry(line: row.line, unreadable: ImportMessages.unfinished, source: sources(row.cells)))
      } else {
        try file.add(PairedRow(row.cells, options).entry(line: row.line))
      }
    }
    return file
  }
}
