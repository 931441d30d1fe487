import Glibc
import Synchronization

/// Remembers which files were verified, so that a file that nobody has written since is not read again.
package final class VerifiedFiles: Sendable {
  /// What changes whenever somebody writes to a file, or puts another in its place. Only the kernel sets the time of a change.
  fileprivate struct Stamp: Hashable {
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

  /// A file that was verified, or written by this process.
  fileprivate struct Known {
    let stamp: Stamp
    /// Whether a change since would have another time.
    let isFinal: Bool
  }

  private let known = Mutex<[String: Known]>([:])
  /// The age, in nanoseconds, from which a change would have another time. File systems have ticks of up to two seconds.
  private let minimumAge: Int64
  /// Nanoseconds since 1970 UTC.
  private let now: @Sendable () -> Int64

  package init(
    minimumAge: Int64 = 3_000_000_000, now: @escaping @Sendable () -> Int64 = VerifiedFiles.systemTime
  ) {
    (self.minimumAge, self.now) = (minimumAge, now)
  }

  package static func systemTime() -> Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Stamp.nanoseconds(now)
  }

  /// A file as it was before somebody read it to verify it.
  package struct Inspection: Sendable {
    /// Whether it need not be verified again.
    package let isVerified: Bool
    fileprivate let path: String
    fileprivate let state: Known?
  }

  /// Looks whether a file was verified, and has not changed since.
  ///
  /// A file that was verified within moments of its change is verified once more later: another change in the same tick of the
  /// file system's clock would not show.
  package func inspect(_ path: String) -> Inspection {
    guard let stamp = Stamp(path) else { return Inspection(isVerified: false, path: path, state: nil) }
    let isOld = now() - stamp.changedAt >= minimumAge
    let known = known.withLock { $0[path] }
    return Inspection(
      isVerified: known?.stamp == stamp && (known?.isFinal == true || !isOld), path: path,
      state: Known(stamp: stamp, isFinal: isOld))
  }

  /// Notes that a file was verified, unless it has changed since it was inspected.
  package func noteValid(_ file: Inspection) {
    let known = file.state.flatMap { $0.stamp == Stamp(file.path) ? $0 : nil }
    self.known.withLock { $0[file.path] = known }
  }

  /// Takes a file for valid that this process has just written.
  package func noteWritten(_ path: String) {
    let known = Stamp(path).map { Known(stamp: $0, isFinal: false) }
    self.known.withLock { $0[path] = known }
  }

  /// Forgets a file that is gone.
  package func forget(_ path: String) { known.withLock { $0[path] = nil } }
}
