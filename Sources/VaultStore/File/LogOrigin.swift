/// Which file the write-ahead log beside a vault was written for.
///
/// SQLite finds a log by its name. It begins one only after a complete checkpoint, so a log that belongs to a vault begins where
/// the vault ends, or the vault has a part of it already.
enum LogOrigin {
  /// This vault, as far as anything in the log says. A log in use, an empty one and one that identifies nothing count too.
  case vault
  /// A copy of this vault that was used independently.
  case independentCopy
  /// Another vault, or another state of this one.
  case otherFile

  /// Reads the log beside a vault.
  ///
  /// - Parameter path: the vault's path. This process must not have it open.
  init(beside path: String) {
    guard let size = try? FileStatus(path: path + "-wal").size, size > 0, !FileUse.isLocked(path + "-shm"),
      let source = try? PageSource(path: path)
    else {
      self = .vault
      return
    }
    // SQLite would take the log's page size for the file's.
    self = source.hasLogOfOtherPageSize ? .otherFile : LogReader(source).origin
  }
}

/// Compares the rows of a log with those of the file.
private struct LogReader {
  let source: PageSource
  let cells: CellReader

  /// The most bytes of a row that is compared.
  private static let maximumRowSize = LengthLimit.head + LengthLimit.plaintextSettings + 100

  init(_ source: PageSource) {
    self.source = source
    cells = CellReader(source, longest: Self.maximumRowSize)
  }

  var origin: LogOrigin {
    guard let (page, inFile) = markInFile else { return .vault }
    // A vault never shrinks: SQLite keeps the pages that are free.
    if let logged = source.loggedPageCount, logged < source.declaredPageCount { return .otherFile }
    for number in source.loggedPages {
      guard let last = source.page(number).flatMap({ mark(in: $0, number) }) else { continue }
      guard last.vault == inFile.vault else { return .otherFile }
      guard number == page else { continue }
      let marks = source.loggedContents(page).lazy.compactMap { mark(in: $0, page) }
      guard let first = marks.first(where: { _ in true }) else { continue }
      // The log may be from any program and contain any numbers.
      if inFile.generation > last.generation { return .otherFile }
      if inFile.generation < first.generation {
        if inFile.generation + 1 != first.generation { return .otherFile }
      } else if !marks.contains(where: { $0.isSameState(as: inFile) }) {
        // The file has a generation of the log, but not from it.
        return .independentCopy
      }
    }
    return hasOtherEvents ? .independentCopy : .vault
  }

  // MARK: Vault's row

  /// A vault's id, generation and head.
  private struct Mark {
    let vault: [UInt8]
    let generation: Int64
    let head: [UInt8]

    /// Whether both are of the same state. Each head begins with 16 random bytes; the rest may be on another page, of which
    /// only the newest content is read.
    func isSameState(as other: Mark) -> Bool {
      generation == other.generation && head.prefix(16) == other.head.prefix(16)
    }
  }

  private var markInFile: (page: Int, mark: Mark)? {
    for number in 1..<source.filePageCount + 1 {
      if let mark = mark(in: source.pageOfFile(number), number) { return (number, mark) }
    }
    return nil
  }

  private func mark(in page: [UInt8], _ number: Int) -> Mark? {
    for values in rows(of: "vault", in: page, number) {
      if case .blob(let vault) = values[1], case .integer(let generation) = values[2],
        case .blob(let head) = values[3]
      {
        return Mark(vault: vault, generation: generation, head: head)
      }
    }
    return nil
  }

  // MARK: Events

  /// Whether the log has other events than the file, or only older ones, where both have some on the same page.
  ///
  /// Each process appends events when it unlocks and locks the vault. They are numbered, and never changed, so two copies that
  /// were used independently have different events under one number.
  private var hasOtherEvents: Bool {
    var stored: [Int64: [StoredValue]] = [:]
    var newest = Int64.min
    for number in source.loggedPages where number <= source.filePageCount {
      stored.merge(events(in: source.pageOfFile(number), number)) { first, _ in first }
    }
    guard !stored.isEmpty else { return false }
    for number in source.loggedPages {
      guard let page = source.page(number) else { continue }
      for (event, values) in events(in: page, number) {
        if let other = stored[event], other != values { return true }
        newest = max(newest, event)
      }
    }
    return newest > .min && stored.keys.contains { $0 > newest }
  }

  private func events(in page: [UInt8], _ number: Int) -> [(Int64, [StoredValue])] {
    rows(of: "event", in: page, number).compactMap { values in
      guard case .integer(let number) = values[0] else { return nil }
      return (number, values)
    }
  }

  /// The rows of a table in a page, each with all its columns.
  private func rows(of table: String, in page: [UInt8], _ number: Int) -> [[StoredValue]] {
    guard let shape = RowShape.all.first(where: { $0.table == table }) else { return [] }
    return cells.rows(in: page, number).compactMap(shape.values)
  }
}
