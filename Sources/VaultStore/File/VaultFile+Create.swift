import CSQLite
import Glibc

/// The steps of a creation, in order, as a test may watch them.
enum CreationStep: String, CaseIterable, Codable, Sendable {
  case locked, fileMade, contentWritten, closed, synchronized, named
}

extension VaultFile {
  /// Creates a vault and opens it.
  ///
  /// The vault is built in another file in the same directory, closed, made durable, and only then gets its
  /// name: a killed process leaves no half vault, and of two processes that create at once
  /// exactly one succeeds. The file has mode 0600 whatever the umask; directories that are missing are made
  /// with mode 0700.
  ///
  /// - Parameters:
  ///   - path: absolute, or relative to the working directory; `~` is not expanded.
  ///   - content: the initial content.
  /// - Throws: `StoreError.alreadyExists` when anything, a dangling symbolic link too, has the name;
  ///   `.missingDirectory`, `.invalidPath`, `.permissionDenied`, `.writableByOthers`, `.readOnly`, `.diskFull`, `.busy`,
  ///   `.inputOutput`, `.unsupportedFileSystem`; `.recordExists` when `content` has two slots or documents,
  ///   and `.rowIDCollision` when it has two cards, under one id. Nothing is left behind then, but for
  ///   directories made.
  public static func create(at path: String, with content: InitialContent) throws -> VaultFile {
    try create(at: path, with: content, settings: ConnectionSettings()) { _ in }
  }

  /// Creates a vault with the settings of a test, and reports each step.
  static func create(
    at path: String, with content: InitialContent, settings: ConnectionSettings,
    didReach: (CreationStep) throws -> Void
  ) throws -> VaultFile {
    let place = try FilePath(path)
    try Directory.make(place.directory)
    try FileAccess.requireOwnDirectory(ofFileAt: place.absolute)
    try build(at: place, content, settings, didReach)
    return try open(at: place.absolute, settings: settings, migrations: Schema.migrations)
  }

  private static func build(
    at place: FilePath, _ content: InitialContent, _ settings: ConnectionSettings,
    _ didReach: (CreationStep) throws -> Void
  ) throws {
    let lock = try FileLock(
      directory: place.directory, milliseconds: settings.busyTimeoutMilliseconds)
    if lock.isHeld { UnfinishedFile.removeLeftovers(in: place.directory) }
    guard !exists(place.absolute) else { throw StoreError(.alreadyExists) }
    if lock.isHeld { removeCompanions(of: place.absolute) }
    try didReach(.locked)
    let file = try UnfinishedFile(in: place.directory)
    try didReach(.fileMade)
    try fill(file.path, with: content, settings, didReach)
    try didReach(.closed)
    try file.synchronize()
    try didReach(.synchronized)
    try file.name(place.absolute)
    try didReach(.named)
    try Directory.synchronize(place.directory)
  }

  private static func fill(
    _ path: String, with content: InitialContent, _ settings: ConnectionSettings,
    _ didReach: (CreationStep) throws -> Void
  ) throws {
    try write(path, settings) { transaction in
      try transaction.insertVault(content.vault)
      for slot in content.slots { try transaction.insertSlot(slot) }
      try transaction.setLockout(.none)
      for document in content.documents { try transaction.insertDocument(document) }
      for card in content.cards { try transaction.insertCard(card) }
    } didWrite: {
      try didReach(.contentWritten)
    }
  }

  /// Creates the tables of a vault in an empty file, and writes its rows.
  static func write(
    _ path: String, _ settings: ConnectionSettings, _ fill: (borrowing WriteTransaction) throws -> Void,
    didWrite: () throws -> Void
  ) throws {
    let connection = try Connection(path: path)
    try connection.configure(settings)
    try connection.useWriteAheadLog()
    try connection.transaction(.write) {
      _ = try connection.pragma("application_id = \(Schema.applicationID)") { _ in }
      _ = try connection.pragma("user_version = \(Schema.formatVersion)") { _ in }
      try connection.createSchema(Schema.migrations)
      try fill(WriteTransaction(connection: connection))
    }
    try didWrite()
    // Closing would checkpoint as well, but would not say when that fails.
    guard try connection.pragma("wal_checkpoint(TRUNCATE)", { try $0.integer(0) }) == 0 else {
      throw StoreError(.busy)
    }
    try connection.close()
  }

  /// Returns whether the name exists, even as a dangling symbolic link.
  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Removes the log and journal of a deleted vault: SQLite would apply them to the new one.
  ///
  /// The caller holds the directory's lock and has checked that the name is free.
  private static func removeCompanions(of path: String) {
    for companion in UnfinishedFile.companions {
      unsafe unlink(path + companion)
    }
  }
}
