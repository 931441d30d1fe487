import Glibc
import VaultModel
import VaultSession
import VaultStore

/// Where a backup goes, and under what name.
struct BackupPlace: Sendable {
  /// The directory, absolute.
  let directory: String
  /// The name that was asked for; nil where the backup is named after the vault and the time.
  let name: String?
  /// What such names begin with: the vault's name without its ending, and a hyphen.
  private let prefix: String
  /// The time in such names.
  private let time: String

  /// Takes the path of a directory that is there, or of a file.
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

  /// Refuses early what would only fail when all is copied.
  ///
  /// - Throws: ``FileError``, ``BackupError/inUse``.
  func check(overwrites: Bool, vault: String) throws {
    guard try FileKind(of: directory) == .directory else { throw FileError.notFound }
    guard let name else { return }
    let path = path(name)
    // SQLite would take a log that lies there for the backup's.
    guard !isInUse(name) else { throw BackupError.inUse }
    if let kind = try? FileKind(of: path) {
      guard kind == .regular else { throw FileError.notRegular }
      guard overwrites else { throw FileError.exists }
      guard !VaultFile.isPart(path, ofVaultAt: vault) else { throw BackupError.inUse }
    }
    guard !FileKind.isLink(path) else { throw overwrites ? FileError.notRegular : FileError.exists }
    guard !VaultFile.isTakenByVault(path) else { throw BackupError.inUse }
  }

  /// Whether somebody has the file of a name open as a vault, or had and was killed: a log lies beside it.
  func isInUse(_ name: String) -> Bool {
    ["-wal", "-journal"].contains { (try? FileKind(of: path(name) + $0)) == .regular }
  }

  /// Gives the copy its name; where two backups are made in one second, the later one gets a number.
  ///
  /// - Returns: the name.
  func give(_ copy: UnfinishedCopy, overwrites: Bool) throws -> String {
    if let name {
      try copy.name(name, replaces: overwrites)
      return name
    }
    var number = 1
    while true {
      let name = prefix + time + (number == 1 ? "" : "-\(number)") + DatedName.ending
      do {
        try copy.name(name, replaces: false)
        return name
      } catch StoreError.alreadyExists where number < 1_000 {
        number += 1
      }
    }
  }

  /// The files in the directory that are named as backups of this vault are, oldest first.
  func dated() throws -> [String] {
    let found = try writing { try VaultFile.names(in: directory) }.compactMap { name in
      age(of: name).map { (age: $0, name: name) }
    }
    return found.sorted { $0.age < $1.age }.map(\.name)
  }

  /// The time and the number in a name; nil for one that is no backup's.
  private func age(of name: String) -> (time: String, number: Int)? {
    guard name.hasPrefix(prefix), name.hasSuffix(DatedName.ending) else { return nil }
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

  /// Does something with the backup's directory, so that what fails is told of it and not of the vault.
  func writing<Value: ~Copyable>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw FileError(writing: error) ?? error
    }
  }
}
