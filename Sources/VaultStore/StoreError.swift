/// An error of the vault file.
///
/// The cases are stable: callers switch over them, and the protocol's error codes 1001–1010 are made from
/// them. No case carries a path, a name or a byte of content.
public enum StoreError: Error, Hashable, Sendable {
  // MARK: The file

  /// There is no file under the path, nor, perhaps, its directory.
  case notFound
  /// The path of the vault to be created exists.
  case alreadyExists
  /// The file is not a QuickVault vault. It was left as it was.
  case notAVault
  /// A newer version of the program made or migrated the vault. It was left as it was.
  case newerVersion
  /// The path leads to a directory, a FIFO, a socket or a device.
  case notARegularFile
  /// The path is empty, holds a NUL, or is too long: over 480 bytes once absolute, as SQLite's own limit is
  /// 512.
  case invalidPath
  /// A directory of the path is missing and cannot be made, because something else has its name.
  case missingDirectory
  /// The system refuses to let this user read or write the file or its directory.
  case permissionDenied
  /// Other users can replace the file or add others beside it, because they can write to its directory.
  case writableByOthers
  /// The file or its file system is read-only.
  case readOnly
  /// There is no room left on the file system, or none within a quota or size limit.
  case diskFull
  /// Another process held the vault for longer than the busy timeout.
  case busy
  /// The system could not read or write, for another reason.
  case inputOutput
  /// The file system cannot keep a write-ahead log, because it lacks locks or shared memory.
  case unsupportedFileSystem
  /// The file is damaged: cut off, overwritten, or not in the shape its migrations gave it.
  case corrupt
  /// The file was replaced or removed since it was opened. Close it and open it again.
  case changed

  // MARK: Rows

  /// There is no row with this id or name.
  case recordNotFound
  /// A row with this id or name is there already.
  case recordExists
  /// The row has another revision, or the vault another generation, than the caller expected.
  case conflict
  /// Another card has the first eight bytes of this id. Draw a new id.
  case rowIDCollision
  /// The value is longer than the file may hold, or there are too many rows.
  case tooLarge

  // MARK: Use

  /// The file was closed.
  case closed
  /// A transaction is running on this connection; another cannot begin, nor can the file be closed.
  case nestedTransaction
  /// SQLite rolled the transaction back after an earlier error, which the caller caught; no more can be done
  /// in it.
  case rolledBack
  /// Cards or documents were written without a new head, so the transaction was rolled back.
  case headNotAdvanced
  /// The system has no memory left.
  case outOfMemory
  /// SQLite refused for a reason that no input should bring about; `code` is its extended result code.
  case internalFailure(code: Int32)
}
