import Glibc

/// Moves a write-ahead log that belongs to another file, or a rollback journal, away from a vault.
///
/// SQLite finds logs by name (<https://www.sqlite.org/howtocorrupt.html>, 1.4). If a copy replaced a vault whose process was
/// killed or still has it open, SQLite would write the old vault's log into the copy.
enum StrayLog {
  /// The suffix of a log that was moved away; from the second one on with a hyphen and a number. None is overwritten, up to
  /// ``limit``, because each may contain the only copy of a change.
  static let nameSuffix = "-stray"
  /// The maximum number of such logs kept beside a vault; a further one replaces the last.
  static let limit = 99

  /// Renames the log beside a file, before SQLite reads it, if it belongs to another file.
  ///
  /// A log with attempts and events only has nothing that identifies the vault, and counts as the file's own, unless the file
  /// has become longer since.
  /// Does nothing if this process has the file open: the log was checked when it was opened.
  /// - Parameter path: the file.
  /// - Throws: `StoreError.busy` while a process uses the log for the file that had this name before; `StoreError` if the
  ///   log cannot be renamed.
  static func moveAside(beside path: String) throws {
    let path = try VaultFile.resolvedPath(path)
    guard try !isOpenInThisProcess(path) else { return }
    try moveJournalAside(beside: path)
    guard try !isUsedWithFile(path), isStray(path) else { return }
    let lock = try FileLock(directory: FilePath.directory(of: path), milliseconds: 5_000)
    // Another process may have moved it away meanwhile, and begun a new log.
    guard lock.isHeld, isStray(path) else { return }
    try moveAside("-wal", beside: path)
  }

  /// Moves a rollback journal away. A vault in WAL mode has none, but SQLite would write the pages of any into the file.
  private static func moveJournalAside(beside path: String) throws {
    guard let journal = try? FileStatus(path: path + "-journal"), journal.isRegularFile, journal.size > 0,
      let header = try? FileBytes(path).prefix(Int(VaultHeader.byteCount)),
      (try? VaultHeader.check(header)) != nil, header[18] == 2, header[19] == 2
    else { return }
    let lock = try FileLock(directory: FilePath.directory(of: path), milliseconds: 5_000)
    guard lock.isHeld, (try? FileStatus(path: path + "-journal")) != nil else { return }
    try moveAside("-journal", beside: path)
  }

  /// Renames a file beside a vault to a name that SQLite ignores. The caller holds the directory's lock.
  private static func moveAside(_ companion: String, beside path: String) throws {
    guard unsafe rename(path + companion, freeName(beside: path, for: companion)) == 0 else {
      throw StoreError(systemError: errno)
    }
    try Directory.synchronize(FilePath.directory(of: path))
  }

  /// Returns the name for the next log or journal to move. The caller holds the directory's lock.
  static func freeName(beside path: String, for companion: String = "-wal") -> String {
    let names = names(beside: path, for: companion)
    return names.first { (try? FileStatus(path: $0)) == nil } ?? names[limit - 1]
  }

  /// The possible names of moved files, in order.
  static func names(beside path: String, for companion: String) -> [String] {
    (1...limit).map { path + companion + nameSuffix + ($0 == 1 ? "" : "-\($0)") }
  }

  /// Returns whether the log beside a private copy belongs to another file. A log of an independent copy of the same vault may be
  /// applied: it is the log that somebody wants to read, and nothing but the private copy is changed.
  static func exists(beside path: String) throws -> Bool {
    try !isOpenInThisProcess(path) && isStray(path, allowingFork: true)
  }

  /// Returns whether there is a log beside a file, and it belongs to it.
  static func isOwn(beside path: String) -> Bool {
    ((try? FileStatus(path: path + "-wal").size) ?? 0) > 0 && !isStray(path)
  }

  /// Returns whether the log is in use together with this file.
  ///
  /// Throws `StoreError.busy` if it is used with another file: a process has locks on the shared memory, but not on this
  /// file, or this process has the shared memory open, but not this file.
  private static func isUsedWithFile(_ path: String) throws -> Bool {
    // Opening and closing the file between two checks looks the same, so check again.
    for _ in 0..<5 {
      guard let memory = try? FileStatus(path: path + "-shm") else { return false }
      let isMemoryOpen = FileUse.isOpenInThisProcess(memory.identity)
      if try isOpenInThisProcess(path) { return true }
      if !isMemoryOpen {
        guard FileUse.isLocked(path + "-shm") else { return false }
        if FileUse.isLocked(path) { return true }
      }
      _ = poll(nil, 0, 2)
    }
    throw StoreError(.busy)
  }

  private static func isOpenInThisProcess(_ path: String) throws -> Bool {
    try FileUse.isOpenInThisProcess(FileStatus(path: path).identity)
  }

  /// Returns whether an unused log belongs to another file: another vault, or another state of this one.
  ///
  /// SQLite begins a log only after a complete checkpoint, so the file has the generation before the log's first, or one of
  /// the log's generations. In the latter case the file has it from its log, with the same head, unless file and log are
  /// from two copies that were written to independently. The caller has checked that this process does not have the file open.
  private static func isStray(_ path: String, allowingFork: Bool = false) -> Bool {
    guard let size = try? FileStatus(path: path + "-wal").size, size > 0 else { return false }
    guard !FileUse.isLocked(path + "-shm") else { return false }
    guard let source = try? PageSource(path: path) else { return false }
    let reader = CellReader(source, longest: maximumVaultRowSize)
    guard let (page, inFile) = mark(inFileOf: source, reader) else { return false }
    // A vault never shrinks: SQLite keeps the pages that are free.
    if let logged = source.loggedPageCount, logged < source.declaredPageCount { return true }
    for number in source.loggedPages {
      guard let last = source.page(number).flatMap({ mark(in: $0, number, reader) }) else { continue }
      guard last.vault == inFile.vault else { return true }
      guard number == page else { continue }
      let marks = source.loggedContents(page).lazy.compactMap { mark(in: $0, page, reader) }
      guard let first = marks.first(where: { _ in true }) else { continue }
      // The log may be from any program and contain any numbers.
      if inFile.generation > last.generation { return true }
      if inFile.generation < first.generation { return inFile.generation + 1 != first.generation }
      return !allowingFork && !marks.contains { $0.isSameState(as: inFile) }
    }
    return false
  }

  /// The most bytes of a row that says which vault this is.
  private static let maximumVaultRowSize = LengthLimit.head + LengthLimit.plaintextSettings + 100

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

  private static func mark(inFileOf source: PageSource, _ reader: CellReader) -> (page: Int, mark: Mark)? {
    for number in 1..<source.filePageCount + 1 {
      if let mark = mark(in: source.pageOfFile(number), number, reader) { return (number, mark) }
    }
    return nil
  }

  private static func mark(in page: [UInt8], _ number: Int, _ reader: CellReader) -> Mark? {
    for row in reader.rows(in: page, number) {
      guard let shape = RowShape.all.first(where: { $0.values(of: row) != nil }), shape.table == "vault",
        case .blob(let vault) = row.values[1], case .integer(let generation) = row.values[2],
        case .blob(let head) = row.values[3]
      else { continue }
      return Mark(vault: vault, generation: generation, head: head)
    }
    return nil
  }
}
