/// A lock that serializes password attempts on a vault, so that of several processes that try the right one
/// at the same moment each finds the count as the one before has left it.
///
/// It is not needed for safety: each attempt is counted before it is made, with or without the lock. It is released
/// with the object or the process.
///
/// It locks the vault's log, because SQLite has its own locks, which closing another descriptor would drop, on the other
/// files and none on that one, and because only the vault's owner can open it.
public final class AttemptLock: Sendable {
  private let lock: FileLock?

  /// Acquires the lock. If the log cannot be locked, as with a vault that has none, this does nothing.
  ///
  /// - Parameter path: the path of an open vault.
  /// - Throws: `StoreError.busy` if another process has it.
  public init(ofVaultAt path: String) throws {
    do {
      lock = try FileLock(file: path + "-wal", milliseconds: 0)
    } catch let error as StoreError where error.kind == .busy {
      throw error
    } catch {
      lock = nil
    }
  }
}
