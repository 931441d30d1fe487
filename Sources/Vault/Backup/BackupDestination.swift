import Glibc
import VaultInterface
import VaultStore

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
