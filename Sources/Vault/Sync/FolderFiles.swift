import Glibc
import Synchronization
import VaultInterface
import VaultStore
import Wire

/// The files below the directory of a vault and an epoch. Each of these calls stalls if the file system does.
struct FolderFiles: Sendable {
  /// The directory of the vault and the epoch, below the folder that the user names.
  let path: String
  private let parent: String
  private let vault: Identifier
  private let epoch: Identifier

  init(_ parent: String, _ vault: Identifier, _ epoch: Identifier) {
    (self.parent, self.vault, self.epoch) = (parent, vault, epoch)
    path = "\(parent)/\(vault)/\(epoch)"
  }

  /// Throws if the folder that the user named is not there: publishing would make it anew in the wrong place.
  func requireParent() throws(SyncError) { try Self.requireFolder(parent) }

  /// - Throws: ``SyncError/folderNotFound``, ``SyncError/notAFolder``.
  static func requireFolder(_ path: String) throws(SyncError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .folderNotFound }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
  }

  /// Returns when the folder answers. A file system that has the folder's names in memory must ask for one that it has not seen.
  func awaitResponse() throws {
    try requireParent()
    _ = try names(in: "changes")
    let unknown = try Identifier.random()
    _ = unsafe access("\(path)/changes/\(unknown)", F_OK)
  }

  /// The directories where files of these replicas arrive, and new replicas.
  func directories(of replicas: [Identifier]) -> [String] {
    let streams = replicas.flatMap { ["\(path)/changes/\($0)", "\(path)/contents/\($0)"] }
    return [parent, "\(parent)/\(vault)", path, "\(path)/keys", "\(path)/changes", "\(path)/contents"]
      + streams
  }

  /// Returns the names in a directory; none if it is not here, or is reached over a symbolic link.
  func names(in directory: String) throws(FileError) -> [String] {
    guard places(to: directory).allSatisfy(Self.isDirectory) else { return [] }
    return try Self.names(in: "\(path)/\(directory)")
  }

  static func names(in directory: String) throws(FileError) -> [String] {
    do {
      return try Directory.names(in: directory).filter { !$0.hasPrefix(".") }
    } catch StoreError.notFound, StoreError.missingDirectory {
      return []
    } catch {
      throw .unreadable(.inputOutput)
    }
  }

  /// Returns the names of files in a directory of which a cloud client has only placeholders: `NAME.nextcloud`, `.NAME.icloud`.
  func placeholders(in directory: String) -> [String] {
    guard places(to: directory).allSatisfy(Self.isDirectory),
      let names = try? Directory.names(in: "\(path)/\(directory)")
    else { return [] }
    return names.compactMap { name in
      guard let suffix = Self.placeholderSuffixes.first(where: { name.hasSuffix($0) }) else { return nil }
      return String(name.dropLast(suffix.count).drop { $0 == "." })
    }
  }

  private static let placeholderSuffixes = [".nextcloud", ".owncloud", ".icloud", ".onedrive", ".cloud"]

  /// Whether a file has a length, but no bytes on the disk, as one that OneDrive has not fetched.
  func isHollow(_ name: String) -> Bool {
    var status = stat()
    return unsafe stat("\(path)/\(name)", &status) == 0 && status.st_size > 0 && status.st_blocks == 0
  }

  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    try UserFile.read(UserPath("\(path)/\(name)"), limit: limit).prefix(limit)
  }

  func remove(_ name: String) {
    unsafe unlink("\(path)/\(name)")
  }

  func removeDirectoryIfEmpty(_ name: String) {
    unsafe rmdir("\(path)/\(name)")
  }

  /// Writes a file in one step, and makes it and its name durable.
  ///
  /// - Parameter isNew: whether another process may have given a file this name, which is then left alone: ``FileError/exists``.
  ///   Not every file system can refuse that by itself, but it is looked at after the bytes are on the disk.
  func write(_ bytes: [UInt8], _ directory: String, _ name: String, isNew: Bool = false) throws {
    try makeDirectories(to: directory)
    let directory = "\(path)/\(directory)"
    guard let content = PrivateBytes(capacity: bytes.count) else {
      throw VaultError.unavailable(.outOfMemory)
    }
    content.append(bytes)
    let file = try NewFile(in: directory)
    try file.write(content)
    try file.synchronize()
    var status = stat()
    guard unsafe !isNew || lstat("\(directory)/\(name)", &status) != 0 else { throw FileError.exists }
    try file.name("\(directory)/\(name)", overwrites: true)
    try Directory.synchronize(directory)
  }

  /// The directory of the vault, that of the epoch, and those from there to one below it.
  private func places(to directory: String) -> [String] {
    ([epoch.description] + directory.split(separator: "/").map(String.init)).reduce(into: [
      "\(parent)/\(vault)"
    ]) {
      $0.append("\($0[$0.count - 1])/\($1)")
    }
  }

  /// Makes the directories from the vault's to one below it, but never the one that the user named: a medium may be removed at
  /// any moment.
  private func makeDirectories(to directory: String) throws {
    var above = parent
    for place in places(to: directory) {
      if unsafe mkdir(place, 0o700) == 0 {
        try Directory.synchronize(above)
      } else {
        let reason = errno
        guard reason != ENOENT else { throw SyncError.folderNotFound }
        guard reason == EEXIST else { throw FileError.writing(reason) }
        // A carrier that puts a link here would have files written and removed elsewhere.
        guard Self.isDirectory(place) else { throw FileError.notRegular }
      }
      above = place
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The calls on the synchronised folder, which others may have to wait for.
struct FolderCalls: Sendable {
  let thread: StallableCalls
  /// Nil to wait as long as the folder takes.
  private let budget: TimeBudget?

  init(_ thread: StallableCalls, within budget: TimeBudget? = nil) {
    (self.thread, self.budget) = (thread, budget)
  }

  /// Runs a call and waits for it.
  ///
  /// - Throws: what the call throws; `StallableCalls.Stall`; `CancellationError`.
  func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) throws -> Value {
    guard let budget else { return try thread.run(within: nil, call) }
    let start = ContinuousClock.now
    defer { budget.spend(start.duration(to: .now)) }
    return try thread.run(within: budget.rest, call)
  }
}

/// How long one step of a synchronisation waits for the folder in all.
final class TimeBudget: Sendable {
  /// Shorter waits do not count: a disk that works must not make a long step begin anew.
  private static let shortest = Duration.milliseconds(100)

  private let limit: Duration
  private let waited = Mutex(Duration.zero)

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// How long it has waited.
  var spent: Duration { waited.withLock { $0 } }

  var rest: Duration { max(limit - spent, Self.shortest) }

  func spend(_ wait: Duration) {
    guard wait >= Self.shortest else { return }
    waited.withLock { $0 += wait }
  }
}
