import VaultCrypto
import VaultInterface
import Wire

/// The files of one vault and one vault key in the synchronised folder. Each has one writer, and none ever changes.
///
/// Methods that throw give up if the folder takes longer than ``FolderCalls`` allows, or the task is cancelled. Then they throw no
/// ``FileError``, so that nobody takes what has not answered for missing.
struct SyncFolder: Sendable {
  let vault: Identifier
  private(set) var epoch: Identifier
  private let parent: String
  let findings: FolderFindings
  private(set) var calls: FolderCalls

  /// - Parameters:
  ///   - epoch: the name of what is published under one vault key.
  ///   - findings: what was found in the folder before.
  init(
    _ folder: UserPath, vault: Identifier, epoch: Identifier, calls: FolderCalls,
    findings: FolderFindings = FolderFindings()
  ) {
    parent = folder.path
    (self.vault, self.epoch, self.calls, self.findings) = (vault, epoch, calls, findings)
  }

  var files: FolderFiles { FolderFiles(parent, vault, epoch) }

  /// The directory of the vault and the epoch.
  var path: String { files.path }

  /// Returns the same folder, for which nobody waits any longer than this.
  func within(_ budget: TimeBudget) -> SyncFolder {
    var folder = self
    folder.calls = FolderCalls(calls.thread, within: budget)
    return folder
  }

  /// Returns the folder of another vault key.
  func ofEpoch(_ epoch: Identifier) -> SyncFolder {
    var folder = self
    folder.epoch = epoch
    return folder
  }

  /// - Throws: ``SyncError/folderNotFound``, ``SyncError/notAFolder``.
  func requireParent() throws {
    try calls.run { [files] in try files.requireParent() }
  }

  // MARK: Segments

  /// The replicas that have a stream.
  func replicas() throws -> [Identifier] { try Self.replicas(names(in: "changes")) }

  static func replicas(_ names: [String]) -> [Identifier] { names.compactMap { Identifier($0) }.sorted() }

  /// The numbers of a replica's segments that are here, in ascending order.
  func segments(of replica: Identifier) throws -> [Int64] {
    try names(in: "changes/\(replica)").compactMap(Self.number).sorted()
  }

  // MARK: Contents

  func write(_ sealed: [UInt8], as place: IndexedAttachment, of replica: Identifier) throws {
    let (directory, name) = ("contents/\(replica)", Self.name(of: place.seal))
    try calls.run { [files, findings, path] in
      try files.write(sealed, directory, name)
      findings.contents.noteWritten(ContentFinding(of: place, isValid: true), "\(path)/\(directory)/\(name)")
    }
  }

  /// Removes a replica's contents, but those of the given attachments.
  func removeContents(of replica: Identifier, but kept: Set<ContentSeal>) throws {
    try calls.run { [files] in
      let kept = Set(kept.map(Self.name(of:)))
      for name in try files.names(in: "contents/\(replica)")
      where !kept.contains(name) && Self.isContentName(name) {
        files.remove("contents/\(replica)/\(name)")
      }
    }
  }

  // MARK: Names

  /// Sixteen hexadecimal digits.
  static func name(_ number: Int64) -> String {
    let digits = String(UInt64(clamping: number), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func number(_ name: String) -> Int64? {
    guard name.utf8.count == 16, let number = Int64(name, radix: 16), Self.name(number) == name,
      1...ByteReader.highestOrdinal ~= number
    else { return nil }
    return number
  }

  /// The salt in hexadecimal digits: the file begins with it, so the name tells nothing more.
  static func name(of seal: ContentSeal) -> String {
    seal.bytes.prefix(16).hexadecimal
  }

  private static func isContentName(_ name: String) -> Bool {
    name.utf8.count == 32 && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  // MARK: Files

  /// Returns the names in a directory; none if it is not here, or is reached over a symbolic link.
  func names(in directory: String) throws -> [String] {
    try calls.run { [files] in try files.names(in: directory) }
  }

  /// Returns the names of files that a cloud client has not fetched.
  func placeholders(in directory: String) throws -> [String] {
    try calls.run { [files] in files.placeholders(in: directory) }
  }
}
