import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Gives the open vault another vault key and another password, so that machines that have the former one read nothing that is
  /// written from then on (S). No device is bound afterwards. The other machines come along with ``rejoin(password:_:)``.
  ///
  /// The vault is reencrypted in one transaction: whenever the process is killed, one of the two passwords opens all of it.
  ///
  /// - Returns: nil for a vault that is not synchronised.
  /// - Throws: ``SyncError/samePassword``; ``SyncError/newKey`` if another machine has done so; what ``unlock(password:)`` throws for the
  ///   old password; ``VaultError/passwordTooShort(minimum:)``; those of ``synchronize(_:)``, before the key is changed.
  @discardableResult public func rekey(
    from old: String, to new: String, _ report: (Int) async -> Void = { _ in }
  ) async throws -> SyncStatus? {
    try Self.check(newPassword: new)
    guard old != new else { throw SyncError.samePassword }
    let (_, slot) = try await authenticate(old)
    let isSynchronised = try unlocked().reading {
      try self.unlocked().syncDocument($0)?.folder.isEmpty == false
    }
    if isSynchronised, try await synchronize(report).hasNewKey { throw SyncError.newKey }
    try await changeKey(to: new, derivation: slot.derivation)
    return isSynchronised ? try await synchronizeUnderNewKey(report) : nil
  }

  /// Synchronises after the vault got another key. That is done even if the folder cannot be written now: the next synchronisation
  /// publishes what leads others to the key.
  private func synchronizeUnderNewKey(_ report: (Int) async -> Void) async throws -> SyncStatus {
    do {
      return try await synchronize(report)
    } catch {
      guard !isLocked, !(error is CancellationError) else { throw error }
      return try syncStatus()
    }
  }

  /// Gives the vault a new key. What leads others to it is published when it is synchronised next.
  func changeKey(to new: String, derivation: KeyDerivation) async throws {
    let reader = try unlocked().reader
    let vault = reader.vault
    let secret = try SecretBytes(password: new)
    let vaultKey = try VaultKeys.newVaultKey()
    let row = try await runInBackground {
      try KeySlot.seal(vaultKey, under: secret, of: vault, derivation: derivation).row
    }
    let epoch = try VaultKeys(vaultKey: vaultKey).hasher.epochIdentifier(of: vault)
    let (left, now) = (try reader.epoch, now.milliseconds)
    let replica = try unlocked().replica
    let marker = try replica.map { try reader.seal(.successor, $0, 1, Successor(epoch: epoch).encoded) } ?? []
    try await changeKey(to: vaultKey, slot: row) { before in
      let known = before.password ?? PasswordVersion(version: 0, changedAt: 0, slot: row.id)
      return before.moved(from: left, marker, known.changed(to: row.id, at: now))
    }
  }

  /// Follows another machine to the vault key that it made with ``rekey(from:to:_:)``, together with what this one has not
  /// published.
  ///
  /// - Parameters:
  ///   - password: the password that was chosen there.
  ///   - derive: runs the derivation of keys, which takes long. Others may use the session meanwhile; if they lead it to another
  ///     folder or key, this ends.
  /// - Throws: ``SyncError/noVault`` without another vault key in the folder; ``SyncError/wrongPassword``, also for the password that
  ///   opens this vault; those of ``synchronize(_:)``.
  @discardableResult public func rejoin(
    password: String,
    deriving derive: (() async throws -> Void) async throws -> Void = { try await $0() },
    _ report: (Int) async -> Void = { _ in }
  ) async throws -> SyncStatus {
    let (folder, before) = try syncFolder()
    let former = before.leftEpochs + [folder.epoch]
    let path = try UserPath(before.folder)
    let calls = folder.calls
    let files = try await runInBackground(whenCancelled: .wait) {
      let others = try SyncFolder.all(in: path, calls).filter {
        $0.vault == folder.vault && !former.contains($0.epoch)
      }
      return try KeyFiles.all(in: others)
    }
    guard !files.isEmpty else { throw SyncError.noVault }
    let secret = try SecretBytes(password: password)
    let own = try unlocked().reading { try $0.slots().first(where: \.isPassword) }
    let vault = folder.vault
    var opened: OpenKeyFile?
    try await derive {
      opened = try await runInBackground { () -> OpenKeyFile? in
        // Nobody who knows only this password and this key can lead the vault to another key.
        if let own, try own.vaultKey(with: secret, of: vault) != nil { return nil }
        return try KeyFiles.open(files, with: secret)
      }
    }
    guard let key = try await opened?.ifCurrent() else { throw SyncError.wrongPassword }
    let found = try await runInBackground(whenCancelled: .wait) { try folder.replicas() }
    let (current, document) = try syncFolder()
    guard current.path == folder.path else { throw CancellationError() }
    try await run(SyncProgress(left: document.streams(among: found), publishes: false), folder, report)
    try await changeKey(to: key.vaultKey, slot: key.file.slot) { before in
      before.moved(from: folder.epoch, [], key.file.password)
    }
    return try await synchronizeUnderNewKey(report)
  }

}

extension SyncTurn {
  /// Announces the new vault key in the former epoch's directory, again if the file was removed, and removes this
  /// replica's files there.
  func leaveFormerEpoch(_ document: SyncDocument) throws {
    guard let left = document.left else { return }
    let former = folder.ofEpoch(left.epoch)
    let isMarked = try former.successors().contains {
      $0.replica == left.replica && $0.sealed == left.marker
    }
    if !isMarked, !left.marker.isEmpty { try former.write(left.marker, asSuccessorBy: left.replica) }
    try former.removeReplica(left.replica)
  }
}

/// Announces the next vault key: version (1) ‖ name of the next epoch (16).
struct Successor {
  let epoch: Identifier

  var encoded: [UInt8] { [1] + epoch.bytes }
}

extension SyncFolder {
  /// Returns whether a replica with the vault key says that there is another.
  func hasSuccessor(_ keys: VaultKeys) throws -> Bool {
    let buffer = PlaintextBuffer(capacity: 64)
    return try successors().contains { replica, sealed in
      let place = RecordContext(vault: vault, kind: .successor, record: replica, revision: 1)
      return (try? keys.sealer.open(sealed, at: place, into: buffer)) != nil
    }
  }
}

extension SyncDocument {
  /// The epoch and replica of the former vault key, and the sealed `Successor` for it.
  var left: (epoch: Identifier, replica: Identifier, marker: [UInt8])? {
    get {
      guard let epoch = values["left.epoch"].flatMap(Identifier.init),
        let replica = values["left.replica"].flatMap(Identifier.init)
      else { return nil }
      return (epoch, replica, bytes("left.marker"))
    }
    set {
      values["left.epoch"] = newValue?.epoch.description
      values["left.replica"] = newValue?.replica.description
      values["left.marker"] = newValue?.marker.hexadecimal
    }
  }

  /// The names of the vault keys that this vault had before.
  var leftEpochs: [Identifier] {
    (values["left.epochs"] ?? "").split(separator: " ").compactMap { Identifier(String($0)) }
  }

  /// Returns the document under another vault key, under which nothing is published and nothing read.
  func moved(from epoch: Identifier, _ marker: [UInt8], _ password: PasswordVersion) -> SyncDocument {
    var document = SyncDocument(replica: replica)
    (document.folder, document.machine, document.place) = (folder, machine, place)
    document.password = password
    document.values["left.epochs"] = (leftEpochs + [epoch]).map(\.description).joined(separator: " ")
    document.left = (epoch, replica, marker)
    return document
  }
}
