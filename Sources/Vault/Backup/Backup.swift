import Glibc
public import VaultInterface
import VaultStore

extension VaultSession {
  /// Copies one snapshot of the vault, and checks the structure, every record and the record hash of the copy before it
  /// gets its name.
  ///
  /// The copy has all pages, including the slots of bound devices, the log and the lock-out. It is one file of mode 0600.
  ///
  /// - Parameters:
  ///   - path: a directory, in which the backup gets the vault's name and the time; or the backup's own path.
  ///   - keep: how many backups of this vault stay in the directory; nil for all. A damaged vault pushes none out. One that is in
  ///     use as a vault stays, and is not counted.
  ///   - overwrites: whether a file under the backup's own path is replaced.
  ///   - report: receives the progress in percent.
  /// - Throws: ``FileError``, ``BackupError``, ``VaultError/locked``, `CancellationError`.
  public func backUp(
    to path: UserPath, keep: Int?, overwrites: Bool, _ report: (Int) async -> Void
  ) async throws -> Backup {
    let vault = try unlocked()
    let place = try BackupDestination(path, of: self.path, at: Timestamp(milliseconds: clock.wall))
    guard keep == nil || place.name == nil else { throw BackupError.needsDirectory }
    // Salvaged records are in memory only: copy the damaged file unchanged.
    let source = try vault.reader.duplicate(
      vault.reader.file.isSalvaged ? VaultFile.open(at: self.path) : nil)
    let making = BackupJob(
      place: place, vault: self.path, source: source, keep: keep, overwrites: overwrites)
    return try await runLongWork(on: vault, report) { note in try await making.run(note) }
  }
}

/// Makes a backup on another thread.
struct BackupJob: Sendable {
  let place: BackupDestination
  /// The path of the vault.
  let vault: String
  /// A second connection; the process must not open the file again by other means.
  let source: RecordReader
  let keep: Int?
  let overwrites: Bool

  /// The progress, in percent, when the copy is written.
  private static let copied = 60

  func run(_ note: @Sendable (Int) throws -> Void) async throws -> Backup {
    try place.check(overwrites: overwrites, vault: vault)
    let copy = try place.writing {
      try UnfinishedCopy.make(of: source.file, in: place.directory) { left, total in
        try note(total == 0 ? 0 : (total - left) * Self.copied / total)
      }
    }
    let found = try await inspectCopy(copy)
    if found == nil || found?.isIntact == false {
      // A damaged vault makes a damaged copy, which is better than none. An intact one must not.
      let original = try await inspect { try source.file.duplicate() }
      guard original?.isIntact != true else { throw BackupError.notVerified }
    }
    try note(99)
    let size = try copy.size
    try place.check(overwrites: overwrites, vault: vault)
    let name = try place.writing { try place.give(copy, overwrites: overwrites) }
    let isIntact = found?.isIntact == true
    return Backup(
      path: place.path(name), size: Int(size), cards: found?.cards ?? 0, attachments: found?.attachments ?? 0,
      integrity: Integrity(isIntact: isIntact), removed: isIntact ? try removeOld(besides: name) : [])
  }

  private struct Inspection {
    var cards: Int
    var attachments: Int
    var isIntact: Bool
  }

  /// Inspects the copy; nil if it is not recognized as a vault.
  private func inspectCopy(_ copy: UnfinishedCopy) async throws -> Inspection? {
    do {
      return try await inspect { try copy.open() }
    } catch StoreError.notAVault, StoreError.newerVersion {
      return nil
    }
  }

  /// Inspects a file; nil if SQLite cannot read it.
  private func inspect(_ open: () throws -> VaultFile) async throws -> Inspection? {
    do {
      let vault = try VaultSession.open(open(), vaultKey: source.keys.vaultKey)
      defer { vault.close() }
      return Inspection(
        cards: vault.cardCount,
        attachments: Int(clamping: vault.head.attachmentCount),
        isIntact: try vault.isIntactThroughout())
    } catch StoreError.corrupt {
      return nil
    }
  }

  /// Removes the oldest backups of this vault, so that with the new one as many are left as are to be kept.
  private func removeOld(besides name: String) throws -> [String] {
    guard let keep else { return [] }
    let older = try place.dated().filter { $0 != name && !place.isInUse($0) && isOfThisVault($0) }
    let expired = older.dropLast(max(keep - 1, 0))
    for name in expired { try place.writing { try VaultFile.removeBackup(name, in: place.directory) } }
    return expired.map(place.path)
  }

  /// Returns whether a file holds this vault: another vault's backup may have the same name.
  private func isOfThisVault(_ name: String) -> Bool {
    guard let file = try? VaultFile.openImmutable(at: place.path(name)) else { return false }
    defer { try? file.close() }
    return (try? file.read { try $0.vaultID() }) == source.vault
  }
}

/// The directory and the name of a backup.
struct BackupDestination: Sendable {
  /// The directory, absolute.
  let directory: String
  /// The requested name; nil to name the backup after the vault and the time.
  let name: String?
  /// The prefix of generated names: the vault's name without extension, and a hyphen.
  private let prefix: String
  /// The time in generated names.
  private let time: String

  /// Resolves the path of an existing directory, or of a file.
  ///
  /// - Throws: ``FileError/notFound``, ``FileError/notRegular``.
  init(_ path: UserPath, of vault: String, at time: Timestamp) throws {
    var text = path.path
    let isDirectory = try? FileKind(of: text) == .directory
    guard isDirectory == true || !text.hasSuffix("/") else { throw FileError.notFound }
    while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    let absolute: String
    do {
      absolute = text == "/" ? "/" : try VaultFile.absolutePath(text)
    } catch {
      throw FileError.notFound
    }
    if isDirectory == true {
      (directory, name) = (absolute, nil)
    } else {
      guard let name = path.name, let slash = absolute.lastIndex(of: "/") else { throw FileError.notRegular }
      directory = slash == absolute.startIndex ? "/" : String(absolute[..<slash])
      self.name = name
    }
    let vaultName = vault.split(separator: "/").last.map(String.init) ?? vault
    prefix = DatedName.stem(of: vaultName) + "-"
    self.time = DatedName.stamp(of: time)
  }

  /// The absolute path of a name in the directory.
  func path(_ name: String) -> String {
    directory == "/" ? "/" + name : directory + "/" + name
  }

  /// Checks the target before and after the copy.
  ///
  /// - Throws: ``FileError``, ``BackupError/inUse``.
  func check(overwrites: Bool, vault: String) throws {
    guard try FileKind(of: directory) == .directory else { throw FileError.notFound }
    guard let name else { return }
    let path = path(name)
    // SQLite would apply an existing log to the backup.
    guard !isInUse(name) else { throw BackupError.inUse }
    if let kind = try? FileKind(of: path) {
      guard kind == .regular else { throw FileError.notRegular }
      guard overwrites else { throw FileError.exists }
      guard !VaultFile.isPart(path, ofVaultAt: vault) else { throw BackupError.inUse }
    }
    guard !FileKind.isLink(path) else { throw overwrites ? FileError.notRegular : FileError.exists }
    guard !VaultFile.isUsedByVault(path) else { throw BackupError.inUse }
  }

  /// Returns whether a file is in use as a vault: it has a log.
  func isInUse(_ name: String) -> Bool {
    ["-wal", "-journal"].contains { (try? FileKind(of: path(name) + $0)) == .regular }
  }

  /// Names the copy; a second backup within one second gets a number.
  ///
  /// - Returns: the name.
  func give(_ copy: UnfinishedCopy, overwrites: Bool) throws -> String {
    if let name {
      try copy.name(name, replaces: overwrites)
      return name
    }
    var number = 1
    while true {
      let name = prefix + time + (number == 1 ? "" : "-\(number)") + DatedName.fileExtension
      do {
        try copy.name(name, replaces: false)
        return name
      } catch StoreError.alreadyExists where number < 1_000 {
        number += 1
      }
    }
  }

  /// Returns the files whose names are those of backups of this vault, oldest first.
  func dated() throws -> [String] {
    let found = try writing { try VaultFile.names(in: directory) }.compactMap { name in
      age(of: name).map { (age: $0, name: name) }
    }
    return found.sorted { $0.age < $1.age }.map(\.name)
  }

  /// Parses the time and the number in a name; nil for other names.
  private func age(of name: String) -> (time: String, number: Int)? {
    guard name.hasPrefix(prefix), name.hasSuffix(DatedName.fileExtension) else { return nil }
    let parts = DatedName.stem(of: name).dropFirst(prefix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard let time = parts.first.map(String.init), parts.count <= 2, Self.isTime(time) else { return nil }
    guard parts.count == 2 else { return (time, 1) }
    guard let number = Int(parts[1]), number > 1, String(number) == parts[1] else { return nil }
    return (time, number)
  }

  private static func isTime(_ text: String) -> Bool {
    let characters = Array(text.utf8)
    guard characters.count == 16 else { return false }
    return characters.enumerated().allSatisfy { index, character in
      switch index {
      case 8: character == UInt8(ascii: "T")
      case 15: character == UInt8(ascii: "Z")
      default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
      }
    }
  }

  /// Runs `body` and maps errors of the backup's directory to `FileError`.
  func writing<Value: ~Copyable>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw FileError(writing: error) ?? error
    }
  }
}
