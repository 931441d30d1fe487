import Glibc
import Synchronization
import Wire

/// The file in which a vault is built before it gets its name.
///
/// It is in the same directory, so that renaming it is atomic, and it is deleted when the value
/// is, whether the vault was finished or not. A process killed in between leaves a file that holds sealed
/// bytes only; the next creation or removal in the same directory deletes it.
struct UnfinishedFile: ~Copyable {
  /// The suffixes of the log, the shared memory and the journal.
  static let companions = ["-wal", "-shm", "-journal"]
  private static let prefix = ".quickvault-unfinished-"

  let path: String
  /// Held until the file is named or removed; nil if the caller has the directory's lock.
  private let lock: Mutex<FileLock?>

  /// Makes an empty file with mode 0600, whatever the umask, under a random name.
  ///
  /// - Parameter isLocked: whether to lock it until it is named or removed, so that others know that it is no leftover. A caller
  ///   that has the directory's lock does not need it: this process has a locked file open.
  init(in directory: String, isLocked: Bool = false) throws {
    var path = Self.randomPath(in: directory)
    var lock = try Self.make(path, isLocked)
    // Somebody may have taken it for a leftover before it was locked.
    while (try? FileStatus(path: path)) == nil {
      path = Self.randomPath(in: directory)
      lock = try Self.make(path, isLocked)
    }
    self.path = path
    self.lock = Mutex(lock)
  }

  private static func randomPath(in directory: String) -> String {
    FilePath.path(of: prefix + String(UInt64.random(in: 0 ... .max), radix: 16), in: directory)
  }

  private static func make(_ path: String, _ isLocked: Bool) throws -> FileLock? {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw StoreError(systemError: errno) }
    return isLocked ? try FileLock(file: path, milliseconds: 100) : nil
  }

  deinit {
    remove()
  }

  /// Removes the file, as the end of the value does. No connection may have it open.
  func remove() {
    lock.withLock { $0 = nil }
    unsafe unlink(path)
    for companion in Self.companions {
      unsafe unlink(path + companion)
    }
  }

  /// Makes the content durable. No connection may have the file open.
  func synchronize() throws {
    let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError(systemError: errno) }
  }

  /// Writes bytes that are read piece by piece, and makes them durable.
  ///
  /// - Parameter read: reads a count of bytes from an offset; fewer are an error.
  func write(upTo end: Int, _ read: (_ count: Int, _ offset: Int) -> [UInt8]) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    var offset = 0
    while offset < end {
      let piece = read(min(1 << 16, end - offset), offset)
      guard !piece.isEmpty else { throw StoreError(.inputOutput) }
      let count = unsafe piece.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw StoreError(systemError: errno) }
      offset += max(count, 0)
    }
    guard fsync(descriptor) == 0 else { throw StoreError(systemError: errno) }
  }

  /// Renames the file, replacing an existing one. No connection may have it open.
  func rename(to finalPath: String) throws {
    guard unsafe Glibc.rename(path, finalPath) == 0 else { throw StoreError(systemError: errno) }
    lock.withLock { $0 = nil }
  }

  /// Names the file; throws `StoreError.alreadyExists` if the name is in use.
  func name(_ finalPath: String) throws {
    guard NewName.give(finalPath, to: path) else { throw StoreError(systemError: errno) }
  }

  /// Removes the files that killed processes left in the directory. The caller holds the directory's lock, but a process that could
  /// not wait for it may write a file there.
  static func removeLeftovers(in directory: String) {
    guard let names = try? Directory.names(in: directory) else { return }
    for name in names where name.hasPrefix(prefix) {
      let companion = companions.first { name.hasSuffix($0) } ?? ""
      let file = FilePath.path(of: String(name.dropLast(companion.count)), in: directory)
      removeLeftover(file, companion)
    }
  }

  private static func removeLeftover(_ path: String, _ companion: String) {
    do {
      let lock = try FileLock(file: path, milliseconds: 0)
      unsafe unlink(path + companion)
      withExtendedLifetime(lock) {}
    } catch {
      // Without the file, or a file system's locks, its companions are leftovers too.
      if (error as? StoreError)?.kind != .busy { unsafe unlink(path + companion) }
    }
  }
}
