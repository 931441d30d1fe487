import Glibc
import Identifiers
import VaultCrypto
import VaultModel
import VaultSession
import VaultStore

/// The files of one vault and one vault key in the synchronised folder. Each has one writer, and none ever changes.
struct SyncFolder {
  /// The directory of the vault and the epoch, below the folder that the user names.
  let path: String
  let vault: Identifier
  let epoch: Identifier
  private let parent: String
  private let verified: VerifiedFiles

  /// - Parameters:
  ///   - epoch: the name of what is published under one vault key.
  ///   - verified: remembers the segments that were verified.
  init(
    _ folder: UserPath, vault: Identifier, epoch: Identifier, verified: VerifiedFiles = VerifiedFiles()
  ) {
    self.epoch = epoch
    (self.vault, self.verified) = (vault, verified)
    parent = folder.path
    path = "\(folder.path)/\(vault)/\(epoch)"
  }

  /// Throws ``FileError/notFound`` if the folder that the user named is not there, such as that of a medium that was removed:
  /// publishing would make it anew in the wrong place.
  func requireParent() throws(FileError) {
    guard unsafe access(parent, F_OK) == 0 else { throw .notFound }
  }

  /// Waits until the folder answers. A file system that has the folder's names in memory must ask for one that it has not seen.
  func awaitResponse() throws {
    try requireParent()
    _ = try replicas()
    let unknown = try Identifier.random()
    _ = unsafe access("\(path)/changes/\(unknown)", F_OK)
  }

  /// The directories where files of these replicas arrive, and new replicas.
  func directories(of replicas: [Identifier]) -> [String] {
    let streams = replicas.flatMap { ["\(path)/changes/\($0)", "\(path)/contents/\($0)"] }
    return [parent, "\(parent)/\(vault)", path, "\(path)/keys", "\(path)/changes", "\(path)/contents"]
      + streams
  }

  // MARK: Segments

  /// The replicas that have a stream.
  func replicas() throws(FileError) -> [Identifier] {
    try names(in: "changes").compactMap { Identifier($0) }.sorted()
  }

  /// The numbers of a replica's segments that are here, in ascending order.
  func segments(of replica: Identifier) throws(FileError) -> [Int64] {
    try names(in: "changes/\(replica)").compactMap(Self.number).sorted()
  }

  func segment(_ sequence: Int64, of replica: Identifier) throws(FileError) -> [UInt8] {
    try read("changes/\(replica)/\(Self.name(sequence))", limit: Segment.longest)
  }

  func write(_ sealed: [UInt8], as sequence: Int64, of replica: Identifier) throws {
    try write(sealed, "changes/\(replica)", Self.name(sequence))
    verified.noteWritten(segmentPath(sequence, of: replica))
  }

  func removeSegment(_ sequence: Int64, of replica: Identifier) {
    let file = segmentPath(sequence, of: replica)
    unsafe unlink(file)
    verified.forget(file)
  }

  /// Returns whether a segment is valid, as `body` finds, which is not called again for a file that has not changed.
  func isValid(_ sequence: Int64, of replica: Identifier, _ body: ([UInt8]) -> Bool) -> Bool {
    verified.isValid(segmentPath(sequence, of: replica)) {
      (try? segment(sequence, of: replica)).map(body) ?? false
    }
  }

  /// Returns whether a segment has this SHA-256. It is not read again if it had, and has not changed.
  func hasHash(_ hash: [UInt8], _ sequence: Int64, of replica: Identifier) throws -> Bool {
    try verified.isValid(segmentPath(sequence, of: replica)) {
      guard let sealed = try? segment(sequence, of: replica) else { return false }
      return try SHA256.hash(of: sealed) == hash
    }
  }

  private func segmentPath(_ sequence: Int64, of replica: Identifier) -> String {
    "\(path)/changes/\(replica)/\(Self.name(sequence))"
  }

  // MARK: Contents

  /// Returns the sealed content of an attachment, from whoever wrote it; nil if it is not here or not the one that is meant.
  func content(_ seal: ContentSeal, limit: Int) throws(FileError) -> [UInt8]? {
    for replica in try names(in: "contents") {
      guard let bytes = try? read("contents/\(replica)/\(Self.name(of: seal))", limit: limit) else {
        continue
      }
      let half = ContentSeal.byteCount / 2
      if Array(bytes.prefix(half) + bytes.suffix(half)) == seal.bytes { return bytes }
    }
    return nil
  }

  /// Returns the names of the directories that may have contents.
  func contentWriters() throws(FileError) -> [String] { try names(in: "contents") }

  /// Returns whether a content is here, and as long as it should be.
  ///
  /// - Parameters:
  ///   - size: the length of the sealed content, in bytes.
  ///   - writers: the names of ``contentWriters()``.
  func hasContent(_ seal: ContentSeal, size: Int, of writers: [String]) -> Bool {
    writers.contains { replica in
      var status = stat()
      let file = "\(path)/contents/\(replica)/\(Self.name(of: seal))"
      return unsafe stat(file, &status) == 0 && status.st_size == size
    }
  }

  func write(_ sealed: [UInt8], as seal: ContentSeal, of replica: Identifier) throws {
    try write(sealed, "contents/\(replica)", Self.name(of: seal))
  }

  /// Removes a replica's contents, but those of the given attachments.
  func removeContents(of replica: Identifier, but kept: Set<ContentSeal>) throws(FileError) {
    let kept = Set(kept.map(Self.name(of:)))
    for name in try names(in: "contents/\(replica)") where !kept.contains(name) && Self.isContentName(name) {
      unsafe unlink("\(path)/contents/\(replica)/\(name)")
    }
  }

  // MARK: Names

  /// Sixteen hexadecimal digits.
  static func name(_ number: Int64) -> String {
    let digits = String(UInt64(clamping: number), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func number(_ name: String) -> Int64? {
    guard name.utf8.count == 16, let number = Int64(name, radix: 16), number > 0, Self.name(number) == name
    else {
      return nil
    }
    return number
  }

  /// The salt in hexadecimal digits: the file begins with it, so the name tells nothing more.
  private static func name(of seal: ContentSeal) -> String {
    seal.bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func isContentName(_ name: String) -> Bool {
    name.utf8.count == 32 && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  // MARK: Files

  /// Returns the names in a directory; none if it is not here, or is reached over a symbolic link.
  func names(in directory: String) throws(FileError) -> [String] {
    guard places(to: directory).allSatisfy(Self.isDirectory) else { return [] }
    return try Self.names(in: "\(path)/\(directory)")
  }

  static func names(in directory: String, isRequired: Bool = false) throws(FileError) -> [String] {
    do {
      return try Directory.names(in: directory).filter { !$0.hasPrefix(".") }
    } catch StoreError.notFound, StoreError.missingDirectory {
      if isRequired { throw .notFound }
      return []
    } catch {
      throw .unreadable(.inputOutput)
    }
  }

  func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
    try UserFile.read(UserPath("\(path)/\(name)"), limit: limit).prefix(limit)
  }

  /// Writes a file in one step, and makes it and its name durable.
  func write(_ bytes: [UInt8], _ directory: String, _ name: String) throws {
    try makeDirectories(to: directory)
    let directory = "\(path)/\(directory)"
    guard let content = PrivateBytes(capacity: bytes.count) else {
      throw VaultError.unavailable(.outOfMemory)
    }
    content.append(bytes)
    let file = try NewFile(in: directory)
    try file.write(content)
    try file.synchronize()
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
        guard reason == EEXIST else { throw reason == ENOENT ? FileError.notFound : .writing(reason) }
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
