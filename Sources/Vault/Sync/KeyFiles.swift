import VaultCrypto
import VaultStore
import Wire

/// The authentic key files of one vault: the password slot of each replica.
struct KeyFiles {
  let vault: OpenVault
  let folder: SyncFolder
  /// Milliseconds since 1970 UTC.
  let now: Int64
  /// The authentic ones.
  private let files: [KeyFile]

  /// Reads the files.
  init(_ vault: OpenVault, _ folder: SyncFolder, now: Int64) throws {
    (self.vault, self.folder, self.now) = (vault, folder, now)
    files = try folder.readKeyFiles().filter { $0.isAuthentic(vault.reader.keys) }
  }

  var replicas: [Identifier] { files.map(\.replica) }

  /// Returns the file with the newest password, if that is newer than this replica's, and another.
  func newer() throws -> KeyFile? {
    guard let (document, slot) = try state(), let newest else { return nil }
    return newest.slot.id != slot.id && newest.password > document.password(of: slot.id, at: now)
      ? newest : nil
  }

  /// Publishes the password's slot, unless it is published, and removes what this replica published before.
  func publish() throws {
    guard let (document, slot) = try state() else { return }
    let replica = document.replica
    let own = files.filter { $0.replica == replica }
    let password = password(document, slot.id)
    let published = own.first {
      $0.number == document.keyNumber && $0.password == password && $0.slot == slot
    }
    guard published == nil || document.password != password else { return try removeOthers(own, document) }
    let number = try max(document.keyNumber, own.map(\.number).max() ?? 0).incremented()
    let file = try KeyFile(slot, password, vault.reader, replica: replica, number: number)
    try folder.write(file.encoded, keyFile: file.number, of: replica)
    let after = try vault.change { transaction, change in
      guard var document = try vault.syncDocument(transaction.read) else { return document }
      (document.password, document.keyNumber) = (password, file.number)
      try vault.write(document, transaction, &change)
      return document
    }
    try removeOthers(own, after)
  }

  private func removeOthers(_ own: [KeyFile], _ document: SyncDocument) throws {
    for file in own where file.number != document.keyNumber {
      try folder.removeKeyFile(file.number, of: document.replica)
    }
  }

  private func state() throws -> (document: SyncDocument, slot: SlotRow)? {
    try vault.reading { transaction in
      guard let document = try vault.syncDocument(transaction),
        let slot = try transaction.slots().first(where: \.isPassword)
      else { return nil }
      return (document, slot)
    }
  }

  /// Returns which password this replica publishes: its own, which another may have published before.
  private func password(_ document: SyncDocument, _ slot: Identifier) -> PasswordVersion {
    let own = document.password(of: slot, at: now)
    if let newest = newest?.password, newest.slot == slot, newest > own { return newest }
    return own.version > 0 ? own : own.changed(to: slot, at: now)
  }

  private var newest: KeyFile? { files.max { $0.password < $1.password } }
}

extension KeyFile {
  /// Gives a vault the password of another replica (S). It unlocks the vault from then on, and devices stay bound.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  /// - Throws: ``VaultError/changed`` if another process changed the password at the same time.
  func adopt(by vault: OpenVault, at now: Int64) throws {
    try vault.change { transaction, change in
      guard var document = try vault.syncDocument(transaction.read),
        let slot = try transaction.read.slots().first(where: \.isPassword)
      else { return }
      guard document.password(of: slot.id, at: now) < password else { throw VaultError.changed }
      try transaction.replaceSlot(slot.id, with: self.slot)
      change.passwordSlot = self.slot.id
      try transaction.appendEvent(EventRow(at: now, kind: VaultEvent.passwordChanged.rawValue))
      document.password = password
      try vault.write(document, transaction, &change)
    }
  }
}

extension KeyFiles {
  /// Returns the key files of all these folders, newest first.
  ///
  /// - Throws: ``SyncError/onlyPlaceholders``.
  static func all(in folders: [SyncFolder]) throws -> [(folder: SyncFolder, file: KeyFile)] {
    let files = try folders.flatMap { folder in try folder.readKeyFiles().map { (folder: folder, file: $0) } }
    if try files.isEmpty && folders.contains(where: { try !$0.placeholders(in: "keys").isEmpty }) {
      throw SyncError.onlyPlaceholders
    }
    return files.sorted { $0.file.password > $1.file.password }
  }

  /// The work that the key files of a folder may cause, in iterations of PBKDF2, and KiB of Argon2id times iterations: each takes
  /// about a microsecond. Anyone who can write to the folder can make such files.
  private static let workLimit = 20 << 20
  /// The memory that a key file may need if another needs less, in KiB.
  private static let memoryLimit = 256 << 10

  /// Returns the newest file that a password opens, and the vault key; nil if there is none, or if that password was changed.
  ///
  /// The files that take the least work are tried first, and no more of them than take half a minute. The first is always tried.
  ///
  /// - Throws: also `CancellationError`; `CryptoError` if no file opens, and the password could not be tried with one, for example
  ///   without memory.
  static func open(
    _ files: [(folder: SyncFolder, file: KeyFile)], with secret: SecretBytes
  ) throws -> OpenKeyFile? {
    var failure: CryptoError?
    for file in affordable(files.map(\.file)) {
      try Task.checkCancellation()
      let opened: SecretBytes?
      do {
        opened = try file.slot.vaultKey(with: secret, of: file.vault)
      } catch {
        failure = error
        continue
      }
      guard let vaultKey = opened else { continue }
      let keys = try VaultKeys(vaultKey: vaultKey)
      let epoch = try keys.hasher.epochIdentifier(of: file.vault)
      let authentic = files.filter {
        $0.folder.epoch == epoch && $0.file.vault == file.vault && $0.file.isAuthentic(keys)
      }
      guard let newest = authentic.max(by: { $0.file.password < $1.file.password }) else { continue }
      let isNewest =
        try newest.file.slot == file.slot || newest.file.slot.vaultKey(with: secret, of: file.vault) != nil
      return isNewest ? OpenKeyFile(folder: newest.folder, file: newest.file, vaultKey: vaultKey) : nil
    }
    if let failure { throw failure }
    return nil
  }

  /// Returns a file for each slot whose key may be derived, those first that take the least work.
  static func affordable(_ files: [KeyFile]) -> [KeyFile] {
    var work = 0
    var known: Set<[UInt8]> = []
    // The sort is stable: of those that take the same work, the first of the files is first.
    let sorted = files.sorted { $0.slot.work < $1.slot.work }
    let memory = max(memoryLimit, Int(sorted.first?.slot.memoryKiB ?? 0))
    return sorted.filter { file in
      guard file.slot.memoryKiB <= memory,
        known.insert(file.vault.bytes + file.slot.salt + file.slot.sealed).inserted
      else { return false }
      defer { work += file.slot.work }
      return work == 0 || work + file.slot.work <= workLimit
    }
  }
}

extension SlotRow {
  /// What its key derivation takes: iterations of PBKDF2, or KiB of Argon2id times iterations.
  fileprivate var work: Int { Int(iterations) * Int(max(memoryKiB, 1)) }

  /// Returns the vault key; nil if the password does not open the slot, or it is malformed.
  ///
  /// - Throws: `CryptoError.secureMemoryExhausted`, `.libraryFailure`, which say nothing about the password.
  func vaultKey(with secret: SecretBytes, of vault: Identifier) throws(CryptoError) -> SecretBytes? {
    guard let slot = try? KeySlot(self) else { return nil }
    do throws(CryptoError) {
      return try slot.open(with: secret, of: vault)
    } catch .authenticationFailed, .parametersOutOfRange {
      return nil
    }
  }
}

/// A key file that a password opens.
struct OpenKeyFile: Sendable {
  let folder: SyncFolder
  let file: KeyFile
  let vaultKey: SecretBytes

  /// Returns this file; nil if there is another vault key by now.
  func ifCurrent() async throws -> OpenKeyFile? {
    try await runInBackground(whenCancelled: .wait) {
      try folder.hasSuccessor(VaultKeys(vaultKey: vaultKey)) ? nil : self
    }
  }
}
