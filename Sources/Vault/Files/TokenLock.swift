import Glibc
import Wire

/// A lock among the processes of a user that have a vault in use, for the one that replaces its account's tokens.
///
/// It is released with its last descriptor, so it can be handed off to the next process.
public final class TokenLock: Sendable {
  private let descriptor: Int32

  /// Opens the lock of a vault, without acquiring it.
  ///
  /// - Returns: nil if the directory cannot be written.
  init?(of vault: Identifier, in states: StateDirectory) {
    descriptor = unsafe open(
      states.tokenLock(of: vault), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor < 0 { return nil }
  }

  /// Takes over a lock that the process before acquired.
  public init(acquired descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Acquires the lock, if no other process has it.
  public func tryAcquire() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Returns a descriptor with which another process goes on; nil if there is none.
  public func handOff() -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy < 0 ? nil : copy
  }

  deinit {
    close(descriptor)
  }
}
