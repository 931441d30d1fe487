import CSQLite
import Glibc

/// The write-ahead log that a connection has open, and the log's index in shared memory (`-wal` and `-shm`).
///
/// SQLite opens both by name and never checks the names again. If another program replaces or removes the log, as sync
/// programs do, SQLite keeps writing to the unlinked file, and what it commits is lost when the process is killed.
struct OpenLog {
  private let database: String
  private let directoryPath: String
  private let logPath: String
  private let indexPath: String
  private let log: FileStatus.Identity
  private let index: FileStatus.Identity
  /// The directory when both names were last checked; nil if names were changing in it.
  private var directory: FileStatus?

  /// Finds the files that a connection has just opened.
  ///
  /// - Parameter database: the file's path, with symbolic links resolved.
  /// - Throws: `StoreError.changed` if the names lead to other files already.
  init(beside database: String) throws {
    (self.database, directoryPath) = (database, FilePath.directory(of: database))
    (logPath, indexPath) = (database + "-wal", database + "-shm")
    guard let log = try Self.status(logPath)?.identity, let index = try Self.status(indexPath)?.identity,
      FileUse.isOpenInThisProcess(log), FileUse.isOpenInThisProcess(index)
    else { throw StoreError(.changed) }
    (self.log, self.index) = (log, index)
  }

  /// Whether two connections have the same files open.
  func isSame(as other: OpenLog) -> Bool {
    (log, index) == (other.log, other.index)
  }

  /// Whether the names still lead to the files that are open, and the log is as long as its index says.
  ///
  /// Costs two calls of stat(2).
  func isInPlace(_ lastCommit: () -> CommitMark?) throws -> Bool {
    while true {
      let mark = lastCommit()
      guard let status = try Self.status(logPath), status.identity == log else { return false }
      guard try Self.status(indexPath)?.identity == index else { return false }
      guard let mark, status.size < mark.logSize else { return true }
      // Another process may have emptied the log in between, as a checkpoint does.
      if lastCommit() == mark { return false }
    }
  }

  /// As ``isInPlace(_:)``, but does not look at the names again if no name in their directory has changed since it did. A log
  /// that was truncated goes unnoticed then.
  ///
  /// Costs one call of stat(2) then.
  mutating func isInPlaceIfDirectoryChanged(_ lastCommit: () -> CommitMark?) throws -> Bool {
    let now = try Self.status(directoryPath)
    if let now, let directory, (now.identity, now.modifiedAt) == (directory.identity, directory.modifiedAt) {
      return true
    }
    directory = nil
    guard try isInPlace(lastCommit) else { return false }
    // File systems count time in steps: two changes may leave the same time.
    if let now, now.modifiedAt < Self.nanoseconds() - 1_000_000_000 { directory = now }
    return true
  }

  /// Makes ``isInPlaceIfDirectoryChanged(_:)`` look at the names again.
  mutating func forgetCheck() {
    directory = nil
  }

  /// Whether the open log ends with the frame that its index names as the last one.
  ///
  /// It does not if another process uses the same index with a log of its own: one that it found, or made, while another
  /// program was replacing the log. What the index says then leads to frames that this log does not have.
  ///
  /// Costs one call of pread(2).
  static func hasLastFrame(_ connection: Connection) -> Bool {
    while let mark = connection.lastCommit, mark.frameCount > 0 {
      let frame = connection.readLog(LogFrames.frameHeaderSize, at: mark.lastFrameOffset)
      if LogFrames.identity(ofFrame: frame) == mark.logFrameIdentity { return true }
      // Another process may have begun the log anew in between.
      if connection.lastCommit == mark { return false }
    }
    return true
  }

  private static func nanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Whether the name of the log still leads to the log that is open.
  var isLogInPlace: Bool { (try? Self.status(logPath)?.identity) == log }

  /// Whether somebody moved the file to another directory together with the open log, as one moves a vault. In its own directory, a sync
  /// program renames both, each to a name that it may use again.
  ///
  /// - Parameter path: the path that the file had.
  func isMoved(with file: FileStatus.Identity, from path: String) -> Bool {
    guard (try? FileStatus(path: path)) == nil, let now = FileUse.path(of: file) else { return false }
    return FileUse.path(of: log) == now + "-wal"
      && FilePath.directory(of: now) != FilePath.directory(of: path)
  }

  /// The status of a file; nil if there is none.
  private static func status(_ path: String) throws -> FileStatus? {
    do {
      return try FileStatus(path: path)
    } catch StoreError.notFound, StoreError.missingDirectory {
      return nil
    }
  }

  // MARK: Saving what a replaced log has

  /// Whether no other process uses the file, and nobody has written to the open log through another index. Then it may be
  /// copied into the file.
  ///
  /// - Parameter file: the file that the connection has open.
  func belongsOnly(
    to connection: Connection, of file: FileStatus.Identity, _ lastCommit: CommitMark?
  ) -> Bool {
    LogFrames { connection.readLog($0, at: $1) }.isWhole(at: lastCommit) && !isUsedByOthers
      && !FileUse.isLockedByOthers(file)
  }

  /// Copies a log that was replaced or removed back to its name, so that what was committed to it is not lost. A different
  /// log under that name is renamed as ``StrayLog`` does. But if another process uses it, it stays, and the content that this
  /// connection reads is saved as ``ReplacedFile`` describes; if that cannot be determined, the copy of the log gets the
  /// other name.
  ///
  /// The caller holds the directory's lock.
  /// - Returns: whether SQLite is to checkpoint the open log when the connection is closed, because there was no room for a copy.
  func restore(_ connection: Connection, _ lastCommit: CommitMark?) -> Bool {
    let own = LogFrames { connection.readLog($0, at: $1) }
    // If the index belongs to another log, another process is using that one.
    let isCurrent = own.isWhole(at: lastCommit)
    // Processes with another index may have written to the file.
    let isKnown = isCurrent && (try? Self.status(indexPath)?.identity) == index
    guard own.count > 0, lastCommit?.frameCount != 0, !isLogInPlace else { return false }
    do {
      try restore(own, connection, isCurrent: isCurrent, isKnown: isKnown)
      return false
    } catch {
      // The file itself may have room.
      return isKnown
    }
  }

  private func restore(
    _ own: LogFrames, _ connection: Connection, isCurrent: Bool, isKnown: Bool
  ) throws {
    let other = try otherLog()
    let others = LogFrames { (try? other?.bytes($0, at: $1)) ?? [] }
    let isPrefix = others.end <= own.end
    let isSame = try Self.isEqual(connection, other, upTo: min(own.end, others.end))
    // The log of the name has it all.
    if isSame, !isPrefix || others.end == own.end { return }
    let isTheirs = !isKnown && (!isSame || isUsedByOthers)
    if isTheirs, isCurrent, (try? ReplacedFile(connection: connection, path: database).save()) != nil {
      return
    }
    let copy = try UnfinishedFile(in: directoryPath)
    try copy.write(upTo: own.end) { connection.readLog($0, at: $1) }
    guard !isTheirs else {
      try copy.rename(to: StrayLog.freeName(beside: database))
      return try Directory.synchronize(directoryPath)
    }
    if !isSame {
      guard unsafe rename(logPath, StrayLog.freeName(beside: database)) == 0 else {
        throw StoreError(systemError: errno)
      }
    }
    try copy.rename(to: logPath)
    try Directory.synchronize(directoryPath)
  }

  /// The log that has the name now, if any. A file that this process has open is ignored, because opening and closing it
  /// would drop its locks.
  private func otherLog() throws -> FileBytes? {
    guard let status = try Self.status(logPath), !FileUse.isOpenInThisProcess(status.identity) else {
      return nil
    }
    return try FileBytes(logPath)
  }

  /// Whether the index that has the name now is another one, and a process uses it.
  private var isUsedByOthers: Bool {
    guard let status = try? Self.status(indexPath), status.identity != index else { return false }
    return FileUse.isOpenInThisProcess(status.identity) || FileUse.isLocked(indexPath)
  }

  private static func isEqual(_ connection: Connection, _ other: FileBytes?, upTo end: Int) throws -> Bool {
    guard let other else { return true }
    var offset = 0
    while offset < end {
      let count = min(1 << 16, end - offset)
      guard try connection.readLog(count, at: offset) == other.bytes(count, at: offset) else { return false }
      offset += count
    }
    return true
  }
}

extension LogFrames {
  /// Whether these are the frames that an index counts, and no more.
  fileprivate func isWhole(at mark: CommitMark?) -> Bool {
    identity != nil && identity == mark?.logFrameIdentity && count == mark?.frameCount
  }
}

extension Connection {
  /// Reads the open write-ahead log, whatever its name leads to; empty if it has fewer bytes.
  fileprivate func readLog(_ count: Int, at offset: Int) -> [UInt8] {
    guard let handle = unsafe try? handle, let wanted = Int32(exactly: count) else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = unsafe bytes.withUnsafeMutableBytes {
      unsafe csqlite_read_log(handle, $0.baseAddress, wanted, sqlite3_int64(offset))
    }
    return code == SQLITE_OK ? bytes : []
  }
}
