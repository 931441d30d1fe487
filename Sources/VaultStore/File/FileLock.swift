import Glibc

/// An advisory lock on a file or a directory. It ends with the value, or with the process.
struct FileLock: ~Copyable {
  private let descriptor: Int32
  /// False on a file system without such locks.
  let isHeld: Bool

  /// Acquires the lock of a directory, which serializes the creation and removal of vaults in it. Throws `StoreError.busy`
  /// after `milliseconds`.
  ///
  /// The holder may delete unfinished files: while it has the lock, they can only be those of killed processes.
  init(directory: String, milliseconds: Int32) throws {
    try self.init(opening: directory, O_DIRECTORY, milliseconds: milliseconds)
  }

  /// Acquires the lock of a regular file in the same way. Links are not followed.
  init(file: String, milliseconds: Int32) throws {
    try self.init(opening: file, O_NOFOLLOW | O_NONBLOCK, milliseconds: milliseconds)
  }

  private init(opening path: String, _ flags: Int32, milliseconds: Int32) throws {
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
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
        throw StoreError(.busy).held(by: LockHolder.ofFile(path))
      }
      usleep(1_000)
      waited += 1
    }
    descriptor = opened
    isHeld = true
  }

  deinit {
    // A child that another thread starts has a copy of the descriptor until it runs its program.
    if isHeld { flock(descriptor, LOCK_UN) }
    close(descriptor)
  }
}
