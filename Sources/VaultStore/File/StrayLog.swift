import Glibc

/// Moves a write-ahead log that belongs to another file or is damaged, or a rollback journal, away from a vault.
///
/// SQLite finds logs by name (<https://www.sqlite.org/howtocorrupt.html>, 1.4). If a copy replaced a vault whose process was
/// killed or still has it open, SQLite would write the old vault's log into the copy.
enum StrayLog {
  /// The suffix of a log that was moved away; from the second one on with a hyphen and a number. None is overwritten, because
  /// each may contain the only copy of a change.
  static let nameSuffix = "-stray"

  /// Renames the log beside a file, before SQLite reads it, if it belongs to another file or is damaged.
  ///
  /// If it is of another state of the vault, or damaged, the file with that log is also saved as a vault whose name ends in
  /// `-stray`: nothing else may be left of the changes in the log. What is intact of a damaged log stays for SQLite.
  ///
  /// Does nothing if this process has the file open: the log was checked when it was opened.
  /// - Parameter path: the file.
  /// - Throws: `StoreError.busy` while a process uses the log for the file that had this name before; `StoreError` if the
  ///   log cannot be renamed, or the file with that log cannot be saved for want of room or rights. Nothing is renamed then.
  static func moveAside(beside path: String) throws {
    let path = try VaultFile.resolvedPath(path)
    guard try !isOpenInThisProcess(path) else { return }
    try moveJournalAside(beside: path)
    guard try !isUsedWithFile(path), LogOrigin(beside: path) != .vault else { return }
    let lock = try FileLock(directory: FilePath.directory(of: path), milliseconds: 5_000)
    // Another process may have moved it away meanwhile, and begun a new log.
    let origin = LogOrigin(beside: path)
    guard lock.isHeld, origin != .vault else { return }
    if origin != .otherVault {
      do {
        try saveWithLog(PageSource(path: path, pastDamage: origin == .damaged), path)
      } catch let error as StoreError where !error.preventsWritingOnly {
        // The file or its log is damaged, or claims to be too long. The log alone is kept.
      }
    }
    if origin == .damaged { try moveDamagedAside(path) } else { try moveAside("-wal", beside: path) }
  }

  /// Renames a damaged log, of which SQLite would overwrite or delete what follows the damage. What SQLite can read of it stays.
  /// The caller holds the directory's lock.
  private static func moveDamagedAside(_ path: String) throws {
    let source = try PageSource(path: path)
    guard source.readableLogSize > 0 else { return try moveAside("-wal", beside: path) }
    let intact = try UnfinishedFile(in: FilePath.directory(of: path))
    try intact.write(upTo: source.readableLogSize, source.readableLog)
    // Two names at once, because a process that is killed between two renames leaves no log. FAT has no links.
    if unsafe link(path + "-wal", freeName(beside: path)) != 0 { try moveAside("-wal", beside: path) }
    try intact.rename(to: path + "-wal")
    try Directory.synchronize(FilePath.directory(of: path))
  }

  /// Writes a file, with the pages of its log in place of its own, beside it, if the log has any. The caller holds the
  /// directory's lock.
  ///
  /// - Throws: `StoreError.corrupt` if the log claims to make the file longer than by its own pages.
  private static func saveWithLog(_ source: PageSource, _ path: String) throws {
    guard !source.loggedPages.isEmpty else { return }
    guard source.isLengthPossible else { throw StoreError(.corrupt) }
    let copy = try UnfinishedFile(in: FilePath.directory(of: path))
    try copy.write(upTo: source.pageCount * source.pageSize) { count, offset in
      let first = offset / source.pageSize + 1
      return (first..<first + count / source.pageSize).flatMap { source.page($0) ?? [] }
    }
    if try savedVaults(beside: path).contains(where: { hasPages(of: copy.path, $0) }) { return }
    try copy.rename(to: freeName(beside: path, for: ""))
  }

  /// Renames what has the name of a vault's log, index or journal and is no file: a link, a FIFO, a socket, a device or a
  /// directory.
  ///
  /// - Throws: `StoreError` if it cannot be renamed.
  static func moveOthersAside(beside path: String) throws {
    for companion in UnfinishedFile.companions {
      guard let status = try? FileStatus(path: path + companion, followsLinks: false), !status.isRegularFile
      else { continue }
      let lock = try FileLock(directory: FilePath.directory(of: path), milliseconds: 5_000)
      guard lock.isHeld, (try? FileStatus(path: path + companion, followsLinks: false)) == status else {
        continue
      }
      try moveAside(companion, beside: path)
    }
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
    var (name, number) = (path + companion + nameSuffix, 1)
    while (try? FileStatus(path: name, followsLinks: false)) != nil {
      number += 1
      name = path + companion + nameSuffix + "-\(number)"
    }
    return name
  }

  /// The vaults that were saved beside a vault.
  static func savedVaults(beside path: String) throws -> [String] {
    let directory = FilePath.directory(of: path)
    return try Directory.names(in: directory).map { FilePath.path(of: $0, in: directory) }
      .filter { $0.hasPrefix(path + nameSuffix) }
  }

  /// Whether two files have the same pages, apart from the header, where SQLite counts changes. False if this process has the
  /// other one open.
  static func hasPages(of path: String, _ other: String) -> Bool {
    guard (try? isOpenInThisProcess(other)) == false,
      let isSame = try? FileBytes(path).equals(FileBytes(other), from: Int(VaultHeader.byteCount))
    else { return false }
    return isSame
  }

  /// Returns whether the log beside a private copy must not be applied. That of an independent copy may be: it is the log that
  /// somebody wants to read, and nothing but the private copy is changed.
  static func exists(beside path: String) throws -> Bool {
    let origin = LogOrigin(beside: path)
    return try !isOpenInThisProcess(path) && (origin == .otherState || origin == .otherVault)
  }

  /// Returns whether there is a log beside a file, and it belongs to it.
  static func isOwn(beside path: String) -> Bool {
    ((try? FileStatus(path: path + "-wal").size) ?? 0) > 0
      && [.vault, .damaged].contains(LogOrigin(beside: path))
  }

  /// Returns whether the log is in use together with this file.
  ///
  /// Throws `StoreError.busy` if it is used with another file: a process has locks on the shared memory, but not on this
  /// file, which another process may have open, or this process has the shared memory open, but not this file.
  private static func isUsedWithFile(_ path: String) throws -> Bool {
    // Opening and closing the file between two checks looks the same, so check again.
    for _ in 0..<5 {
      guard let memory = try? FileStatus(path: path + "-shm") else { return false }
      let isMemoryOpen = FileUse.isOpenInThisProcess(memory.identity)
      if try isOpenInThisProcess(path) { return true }
      if !isMemoryOpen {
        guard FileUse.isLocked(path + "-shm") else { return false }
        if FileUse.isLocked(path), LockHolder.isSame(of: path, and: path + "-shm") != false { return true }
      }
      _ = poll(nil, 0, 2)
    }
    throw StoreError(.busy)
  }

  private static func isOpenInThisProcess(_ path: String) throws -> Bool {
    try FileUse.isOpenInThisProcess(FileStatus(path: path).identity)
  }
}
