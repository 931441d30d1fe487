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

/// A process that has a lock which others wait for.
public struct LockHolder: Hashable, Sendable {
  /// The process ID.
  public let process: Int
  /// The name of its program, as the kernel shortens it to 15 bytes.
  public let program: String

  /// The offset of SQLite's write lock in the shared memory (`WAL_WRITE_LOCK`).
  private static let writeLock = 120

  public init(process: Int, program: String) {
    (self.process, self.program) = (process, program)
  }

  /// Returns the process that writes to a vault, or keeps others from opening it; nil if `/proc/locks` tells none.
  static func ofVault(_ path: String) -> LockHolder? {
    let locks = KernelLock.all()
    return holder(of: path + "-shm", locks) { $0.kind == "POSIX" && $0.bytes.contains(writeLock) }
      ?? holder(of: path, locks) { $0.kind == "POSIX" }
  }

  /// Returns the process that has the advisory lock of a file or a directory.
  static func ofFile(_ path: String) -> LockHolder? {
    holder(of: path, KernelLock.all()) { $0.kind == "FLOCK" }
  }

  /// Returns whether a process has locks on both files; nil if `/proc/locks` tells none on one of them.
  static func isSame(of path: String, and other: String) -> Bool? {
    let locks = KernelLock.all().filter { $0.kind == "POSIX" }
    let holders = [path, other].map { path in
      let file = try? FileStatus(path: path).identity
      return Set(locks.filter { $0.file == file }.map(\.process))
    }
    return holders.contains([]) ? nil : !holders[0].isDisjoint(with: holders[1])
  }

  private static func holder(
    of path: String, _ locks: [KernelLock], _ isMeant: (KernelLock) -> Bool
  ) -> LockHolder? {
    guard let file = try? FileStatus(path: path).identity else { return nil }
    let lock = locks.first { $0.isForWriting && $0.file == file && $0.process != getpid() && isMeant($0) }
    guard let lock, let name = try? FileBytes("/proc/\(lock.process)/comm").bytes(64, at: 0) else {
      return nil
    }
    let program = String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return LockHolder(process: Int(lock.process), program: program)
  }
}

/// A line of `/proc/locks` (proc(5)), such as `1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120`.
private struct KernelLock {
  /// `POSIX`, `FLOCK` or another.
  let kind: Substring
  let isForWriting: Bool
  let process: Int32
  let file: FileStatus.Identity
  let bytes: ClosedRange<Int>

  /// Returns all locks; none if the system does not show them.
  static func all() -> [KernelLock] {
    guard let text = try? FileBytes("/proc/locks").bytes(1 << 20, at: 0) else { return [] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap {
      KernelLock($0.split(separator: " "))
    }
  }

  /// Nil for a process that waits (`->`), or is in another namespace.
  private init?(_ words: [Substring]) {
    guard words.count == 8, let process = Int32(words[4]), process > 0, let start = Int(words[6]) else {
      return nil
    }
    let numbers = words[5].split(separator: ":")
    guard numbers.count == 3, let major = UInt64(numbers[0], radix: 16),
      let minor = UInt64(numbers[1], radix: 16),
      let inode = UInt64(numbers[2])
    else { return nil }
    let end = words[7] == "EOF" ? Int.max : Int(words[7]) ?? start
    guard start <= end else { return nil }
    (kind, isForWriting, self.process, bytes) = (words[1], words[3] == "WRITE", process, start...end)
    // As makedev(3) does.
    let device =
      (minor & 0xFF) | ((major & 0xFFF) << 8) | ((minor & ~0xFF) << 12) | ((major & ~0xFFF) << 32)
    file = FileStatus.Identity(device: device, inode: inode)
  }
}
