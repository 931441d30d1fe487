/// The place of whoever tries a password on a vault. There is one, so that of several processes that try the right one
/// at the same moment each finds the count as the one before has left it.
///
/// It guards nothing: each attempt is counted before it is made, and who goes without the place is counted as ever. It ends
/// with the object, or with the process.
///
/// The lock is on the vault's log, because SQLite has its own locks, which closing another descriptor would drop, on the other
/// files and none on that one; and because nobody but the vault's owner can open it.
public final class AttemptPlace: Sendable {
  private let lock: FileLock?

  /// Takes the place. Where it cannot be locked, as with a vault that has no log, everybody has it at once.
  ///
  /// - Parameter path: where a vault is open.
  /// - Throws: `StoreError.busy` where another has it.
  public init(ofVaultAt path: String) throws {
    do {
      lock = try FileLock(file: path + "-wal", milliseconds: 0)
    } catch StoreError.busy {
      throw StoreError.busy
    } catch {
      lock = nil
    }
  }
}
