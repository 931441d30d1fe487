import Glibc

/// The log of another file beside a vault, or a rollback journal.
///
/// SQLite finds logs by name (<https://www.sqlite.org/howtocorrupt.html>, 1.4). Where a copy was moved over a vault whose process was
/// killed, or has it open still, SQLite would take the log that was left for the copy's, and write it into it.
enum StrayLog {
  /// What is put behind the name of a log that is put aside; from the second one on a hyphen and its number too. Each may be all
  /// that is left of something, so none gives way, up to the last of ``limit``.
  static let ending = "-stray"
  /// The number of stray logs kept beside a vault; a further one replaces the last.
  static let limit = 99

  /// Looks at the log beside a file before SQLite does: one that belongs to another file is put aside.
  ///
  /// A log that tells nothing of the vault, because only attempts and events were written into it, is taken for the file's own.
  /// Where this process has the file open already, it was looked at then.
  /// - Parameter path: the file.
  /// - Throws: `StoreError.busy` while a process uses the log for the file that had this name before; `StoreError` where the
  ///   log cannot be put aside.
  static func putAside(beside path: String) throws {
    let path = try VaultFile.resolvedPath(path)
    guard try !FileUse.isOpenHere(FileStatus(path: path).identity) else { return }
    try putJournalAside(beside: path)
    try requireCommonFile(path)
    guard isStray(path) else { return }
    let lock = try FileLock(directory: FilePath.directory(of: path), milliseconds: 5_000)
    // Meanwhile another process may have put it aside, and begun a log of its own.
    guard lock.isHeld, isStray(path) else { return }
    try putAside("-wal", beside: path)
  }

  /// Puts a rollback journal aside. A vault in WAL mode has none, but SQLite would write the pages of any into the file.
  private static func putJournalAside(beside path: String) throws {
    guard let journal = try? FileStatus(path: path + "-journal"), journal.isRegularFile, journal.size > 0,
      let header = try? FileBytes(path).prefix(Int(VaultHeader.byteCount)),
      (try? VaultHeader.check(header)) != nil, header[18] == 2, header[19] == 2
    else { return }
    let lock = try FileLock(directory: FilePath.directory(of: path), milliseconds: 5_000)
    guard lock.isHeld, (try? FileStatus(path: path + "-journal")) != nil else { return }
    try putAside("-journal", beside: path)
  }

  /// Gives a file beside a vault a name that SQLite does not look for. The caller has the directory's lock.
  private static func putAside(_ companion: String, beside path: String) throws {
    guard unsafe rename(path + companion, freeName(beside: path, for: companion)) == 0 else {
      throw StoreError(systemError: errno)
    }
    try Directory.synchronize(FilePath.directory(of: path))
  }

  /// Where the next log, or journal, is put that is put aside. The caller has the directory's lock.
  static func freeName(beside path: String, for companion: String = "-wal") -> String {
    let names = (1...limit).map { path + companion + ending + ($0 == 1 ? "" : "-\($0)") }
    return names.first { (try? FileStatus(path: $0)) == nil } ?? names[limit - 1]
  }

  /// Whether the log beside a file that nobody else knows is another file's.
  static func lies(beside path: String) throws -> Bool {
    try !FileUse.isOpenHere(FileStatus(path: path).identity) && isStray(path)
  }

  /// Whoever uses the log has locks on its shared memory and on its file, as long as it is open. Where there are locks on the shared
  /// memory alone, somebody has another file open.
  ///
  /// The caller has seen that this process has the file not open.
  private static func requireCommonFile(_ path: String) throws {
    // One is looked at after the other, and whoever closes the file in between looks like one who has another open.
    for _ in 0..<5 {
      guard let memory = try? FileStatus(path: path + "-shm") else { return }
      guard !FileUse.isOpenHere(memory.identity) else { throw StoreError.busy }
      if !FileUse.isLocked(path + "-shm") || FileUse.isLocked(path) { return }
      _ = poll(nil, 0, 2)
    }
    throw StoreError.busy
  }

  /// Whether a log that nobody uses is another file's: of another vault, or of this one at a time that does not join on to the
  /// file's.
  ///
  /// SQLite begins a log only when all of the one before is in the file, so the file is at the generation before the log's first,
  /// or at one of the log's own. The caller has seen that this process has the file not open.
  private static func isStray(_ path: String) -> Bool {
    guard let size = try? FileStatus(path: path + "-wal").size, size > 0 else { return false }
    guard !FileUse.isLocked(path + "-shm") else { return false }
    guard let source = try? PageSource(path: path) else { return false }
    let reader = CellReader(source)
    guard let (page, inFile) = mark(inFileOf: source, reader) else { return false }
    for number in source.loggedPages {
      guard let last = source.page(number).flatMap({ mark(in: $0, number, reader) }) else { continue }
      guard last.vault == inFile.vault else { return true }
      guard number == page, let first = source.firstLogged(number).flatMap({ mark(in: $0, number, reader) })
      else {
        continue
      }
      // The log may be anybody's, with any numbers in it.
      return inFile.generation < first.generation && inFile.generation + 1 != first.generation
        || inFile.generation > last.generation
    }
    return false
  }

  /// Which vault it is, and how often its records were changed.
  private struct Mark {
    let vault: [UInt8]
    let generation: Int64
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
        case .blob(let vault) = row.values[1], case .integer(let generation) = row.values[2]
      else { continue }
      return Mark(vault: vault, generation: generation)
    }
    return nil
  }
}
