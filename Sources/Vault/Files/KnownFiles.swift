import Glibc
import Synchronization
import VaultCrypto
import VaultInterface
import Wire

/// Remembers what was found in files, so that a file that nobody has written since is not read again.
package final class KnownFiles<Finding: Sendable>: Sendable {
  /// A file that was read, or written by this process.
  fileprivate struct Known {
    let finding: Finding
    let stamp: FileStamp
    /// Whether a change since would have another time.
    let isFinal: Bool
  }

  private let known = Mutex<[String: Known]>([:])
  /// The age, in nanoseconds, from which a change would have another time. File systems have ticks of up to two seconds.
  private let minimumAge: Int64
  /// Nanoseconds since 1970 UTC.
  private let now: @Sendable () -> Int64

  package init(minimumAge: Int64 = 3_000_000_000, now: @escaping @Sendable () -> Int64 = FileStamp.systemTime)
  {
    (self.minimumAge, self.now) = (minimumAge, now)
  }

  /// A file as it was before somebody read it.
  package struct Inspection: Sendable {
    /// What was found in it; nil if it has to be read.
    package let finding: Finding?
    package let path: String
    /// Nil for a file that is not here.
    fileprivate let stamp: FileStamp?
    fileprivate let isFinal: Bool

    /// The length in bytes; nil for a file that is not here.
    package var size: Int? { stamp.map { Int($0.size) } }
  }

  /// Returns what was found in a file, if it has not changed since.
  ///
  /// A file that was read within moments of its change is read once more later: another change in the same tick of the file
  /// system's clock would not show.
  package func inspect(_ path: String) -> Inspection {
    guard let stamp = FileStamp(path) else {
      return Inspection(finding: nil, path: path, stamp: nil, isFinal: false)
    }
    let isOld = now() - stamp.changedAt >= minimumAge
    let known = known.withLock { $0[path] }
    let isSame = known?.stamp == stamp && (known?.isFinal == true || !isOld)
    return Inspection(finding: isSame ? known?.finding : nil, path: path, stamp: stamp, isFinal: isOld)
  }

  /// Notes what was found in a file, unless it has changed since it was inspected.
  package func note(_ finding: Finding, in file: Inspection) {
    guard let stamp = file.stamp, stamp == FileStamp(file.path) else { return forget(file.path) }
    keep(Known(finding: finding, stamp: stamp, isFinal: file.isFinal), file.path)
  }

  /// Notes what is in a file that this process has just written.
  package func noteWritten(_ finding: Finding, _ path: String) {
    guard let stamp = FileStamp(path) else { return forget(path) }
    keep(Known(finding: finding, stamp: stamp, isFinal: false), path)
  }

  /// Forgets a file that is gone.
  package func forget(_ path: String) { known.withLock { $0[path] = nil } }

  /// The maximum number of files. Whoever can write to a folder can make any number.
  private static var limit: Int { 16_384 }

  private func keep(_ file: Known, _ path: String) {
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[path] = file
    }
  }
}

/// What changes whenever somebody writes to a file, or puts another in its place. Only the kernel sets the time of a change.
package struct FileStamp: Hashable, Sendable {
  let inode: UInt64
  let size: Int64
  /// Nanoseconds since 1970 UTC.
  let (modifiedAt, changedAt): (Int64, Int64)

  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
    (modifiedAt, changedAt) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
  }

  /// The time in nanoseconds since 1970 UTC.
  package static func systemTime() -> Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return nanoseconds(now)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// What a process found in the files of a synchronised folder. A carrier may put any file there: one that does not open is not read
/// again until it changes.
package struct FolderFindings: Sendable {
  let segments = KnownFiles<SegmentFinding>()
  let contents = KnownFiles<ContentFinding>()
}

/// What was found in the file of a segment.
struct SegmentFinding: Hashable, Sendable {
  /// SHA-256 of the file.
  let hash: [UInt8]
  /// SHA-256 of the segment before; nil if the file does not open as a segment.
  let previous: [UInt8]?
  let part: SegmentPart
}

/// The part of a snapshot that a segment is. A snapshot stands for all earlier segments of its stream.
struct SegmentPart: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  /// It is the first segment of a snapshot.
  static let begins = SegmentPart(rawValue: 1)
  /// It is the last segment of a snapshot.
  static let ends = SegmentPart(rawValue: 2)
}

/// What was found in the file of a content.
struct ContentFinding: Hashable, Sendable {
  let attachment: Identifier
  let seal: ContentSeal
  /// Whether the file is the content of the attachment.
  let isValid: Bool

  init(of place: IndexedAttachment, isValid: Bool) {
    (attachment, seal, self.isValid) = (place.id, place.seal, isValid)
  }
}

extension CryptoError {
  /// Whether the bytes are not what they should be, rather than that the system failed.
  var isOfContent: Bool { self == .authenticationFailed || self == .malformed }
}
