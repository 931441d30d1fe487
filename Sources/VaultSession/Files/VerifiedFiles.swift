import Glibc
import Synchronization

/// Remembers which files were verified, so that a file that nobody has written since is not read again.
package final class VerifiedFiles: Sendable {
  /// What changes whenever somebody writes to a file, or puts another in its place. Only the kernel sets the time of a change.
  private struct Stamp: Hashable {
    let inode: UInt64
    let size: Int64
    let (modifiedAt, changedAt): (Int64, Int64)

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
      (modifiedAt, changedAt) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    }

    static func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  }

  private let stamps = Mutex<[String: Stamp]>([:])
  /// The age, in nanoseconds, from which a change would have another time. File systems have ticks of up to two seconds.
  private let leastAge: Int64

  package init(leastAge: Int64 = 3_000_000_000) { self.leastAge = leastAge }

  /// Returns whether a file is valid. Calls `body` to verify it, unless it did so before and the file has not changed since.
  package func isValid(_ path: String, _ body: () throws -> Bool) rethrows -> Bool {
    let stamp = Stamp(path)
    if let stamp, stamps.withLock({ $0[path] }) == stamp { return true }
    let isValid = try body()
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let isOld = stamp.map { Stamp.nanoseconds(now) - $0.changedAt >= leastAge } ?? false
    stamps.withLock { $0[path] = isValid && isOld && stamp == Stamp(path) ? stamp : nil }
    return isValid
  }

  /// Forgets a file that is gone.
  package func forget(_ path: String) { stamps.withLock { $0[path] = nil } }
}
