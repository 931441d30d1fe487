import Glibc

/// An advisory lock on a directory, held by whoever creates or removes a vault in it.
///
/// It makes creation and removal take turns, so that each may tidy up after one that was killed: what it
/// finds half done while it has the lock is nobody's. The lock ends with the value, or with the process.
struct DirectoryLock: ~Copyable {
  private let descriptor: Int32
  /// False on a file system without such locks: then nothing may be tidied up.
  let isHeld: Bool

  /// Takes the lock, waiting at most `milliseconds` for another holder, then throws `StoreError.busy`.
  init(directory: String, milliseconds: Int32) throws {
    let opened = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw StoreError(systemError: errno) }
    var waited: Int32 = 0
    while flock(opened, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        descriptor = opened
        isHeld = false
        return
      }
      guard waited < milliseconds else {
        close(opened)
        throw StoreError.busy
      }
      usleep(1_000)
      waited += 1
    }
    descriptor = opened
    isHeld = true
  }

  deinit {
    close(descriptor)
  }
}
