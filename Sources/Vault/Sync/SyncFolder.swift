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

/// The contents of attachments.
extension SyncFolder {
  private typealias ContentFile = KnownFiles<ContentFinding>.Inspection

  /// Returns the content of an attachment, from whoever wrote it; nil if it is not here or not the one that is meant.
  func content(
    of place: IndexedAttachment, with reader: RecordReader
  ) throws -> (plain: PrivateBytes, sealed: [UInt8])? {
    for file in try contentFiles(of: place) {
      if let content = try content(in: file, of: place, reader) { return content }
    }
    return nil
  }

  /// Returns whether the content of an attachment is here. A file that was read before is not read again until it changes.
  ///
  /// - Parameter limit: the bytes that may be read, from which those are taken that were. Beyond, a file with the right length counts
  ///   as the content.
  func hasContent(
    of place: IndexedAttachment, with reader: RecordReader, reading limit: inout Int
  ) throws -> Bool {
    let files = try contentFiles(of: place)
    if files.contains(where: { $0.finding == ContentFinding(of: place, isValid: true) }) { return true }
    for file in files {
      guard limit > 0 else { return true }
      limit -= place.size
      if try content(in: file, of: place, reader) != nil { return true }
    }
    return false
  }

  /// Returns the attachments of which no file was found intact since it was written.
  func uncheckedContents(among places: [IndexedAttachment]) throws -> [IndexedAttachment] {
    guard !places.isEmpty else { return [] }
    return try calls.run {
      let writers = try contentWriters()
      return places.filter { place in
        let valid = ContentFinding(of: place, isValid: true)
        return !writers.contains { contentFile(of: place, by: $0).finding == valid }
      }
    }
  }

  /// The files that may be a content.
  private func contentFiles(of place: IndexedAttachment) throws -> [ContentFile] {
    let other = ContentFinding(of: place, isValid: false)
    return try calls.run {
      try contentWriters().map { contentFile(of: place, by: $0) }
        .filter { $0.size == place.size + RecordSealer.overhead && $0.finding != other }
    }
  }

  private func contentFile(of place: IndexedAttachment, by writer: Identifier) -> ContentFile {
    findings.contents.inspect("\(path)/contents/\(writer)/\(Self.name(of: place.seal))")
  }

  private func contentWriters() throws -> [Identifier] {
    try files.names(in: "contents").compactMap { Identifier($0) }
  }

  private func content(
    in file: ContentFile, of place: IndexedAttachment, _ reader: RecordReader
  ) throws -> (plain: PrivateBytes, sealed: [UInt8])? {
    let sealed = try calls.run {
      try? UserFile.read(UserPath(file.path), limit: Self.contentLimit).prefix(Self.contentLimit)
    }
    guard let sealed else { return nil }
    func note(isValid: Bool) throws {
      let finding = ContentFinding(of: place, isValid: isValid)
      try calls.run { [findings] in findings.contents.note(finding, in: file) }
    }
    do {
      let plain = try sealed.withRawSpan { (span) throws in try reader.content(of: place, span) }
      try note(isValid: true)
      return (plain, sealed)
    } catch let error as CryptoError {
      if error.isOfContent { try note(isValid: false) }
      return nil
    }
  }

  /// The length of the longest sealed content, in bytes.
  private static let contentLimit = Limits.attachmentBytes + RecordSealer.overhead
}
