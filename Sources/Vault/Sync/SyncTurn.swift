import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// How far a synchronisation has come.
struct SyncProgress: Sendable {
  /// The replicas whose streams are to be looked at; nil before the folder was.
  var left: [Identifier]?
  /// The number of the last segment of the first of them that was read again; nil if none was.
  var again: Int64?
  /// Whether what others have published is applied.
  var applies = true
  /// Whether what this replica wrote is published.
  var publishes = true
  var problems: [Identifier: SyncProblem] = [:]
  /// The replicas that have published a password, and so a stream.
  var publishers: Set<Identifier> = []
  /// All whose streams are looked at.
  var streams: [Identifier] = []
  /// The file of a newer password, to be taken over before this goes on.
  var password: KeyFile?
  /// What was merged last, perhaps nothing, if others may change the vault before this goes on.
  var merge: Merge?
  var hasNewKey = false
  var isDone = false
}

/// A part of a synchronisation, on one copy of the vault. It ends early where something was applied, so that requests can go before
/// what is left.
struct SyncTurn {
  let vault: OpenVault
  let folder: SyncFolder
  /// Milliseconds since 1970 UTC.
  let now: Int64

  /// - Throws: ``FileError`` for the folder; `StoreError`; `CancellationError`.
  func run(_ before: SyncProgress) throws -> SyncProgress {
    var progress = before
    (progress.password, progress.merge) = (nil, nil)
    if progress.left == nil { try inspectFolder(&progress) }
    guard progress.password == nil, !progress.isDone else { return progress }
    try apply(&progress)
    guard progress.merge == nil else { return progress }
    if progress.publishes { try publish() }
    progress.isDone = true
    return progress
  }

  /// Lists the other replicas' files, and publishes this replica's password unless the folder has a newer one.
  private func inspectFolder(_ progress: inout SyncProgress) throws {
    try folder.requireParent()
    progress.hasNewKey = try folder.hasSuccessor(vault.reader.keys)
    guard !progress.hasNewKey else { return progress.isDone = true }
    let isAhead = try vault.reading { transaction in
      try vault.syncDocument(transaction).map {
        try OwnStream(vault, folder, $0).isAhead(transaction)
      }
    }
    if isAhead == true { try vault.assignNewReplica() }
    let keyFiles = try KeyFiles(vault, folder, now: now)
    if progress.applies {
      progress.password = try keyFiles.newer()
      guard progress.password == nil else { return }
    }
    // A machine that joins publishes its password with its first segment: if that is interrupted, it leaves nothing behind.
    let document = try document()
    if let document, document.own.sequence > 0 { try keyFiles.publish() }
    let found = progress.applies ? try folder.replicas() : []
    progress.publishers = Set(keyFiles.replicas)
    progress.streams = progress.applies ? document?.streams(among: found + keyFiles.replicas) ?? [] : []
    progress.left = progress.streams
  }

  private func document() throws -> SyncDocument? { try vault.reading { try vault.syncDocument($0) } }

  /// Applies the next segments of the first of the streams that has any.
  private func apply(_ progress: inout SyncProgress) throws {
    guard let document = try document() else { return }
    while let replica = progress.left?.first {
      let position = document[replica]
      let applier = SegmentApplier(vault: vault, folder: folder, replica: replica)
      let step = try applier.applyNext(position, again: progress.again)
      // What an earlier batch waits for is still missing.
      if progress.again == nil || step.problem != nil { progress.problems[replica] = step.problem }
      if !step.hasMore { progress.left?.removeFirst() }
      progress.again = step.hasMore ? step.again : nil
      // Anyone who can write to the folder can make such a segment for each of any number of replicas.
      guard let merge = step.merge ?? (step.hasReadLong ? Merge() : nil) else { continue }
      if let seen = step.seenLater {
        // The whole machine was restored from a backup.
        try vault.assignNewReplica(seen: seen)
        progress.left?.append(document.replica)
      }
      return progress.merge = merge
    }
    try nameWhatIsMissing(&progress)
  }

  /// Names the streams that are not here, or not as far as others have read them. Each may have been looked at before the segment
  /// that tells.
  private func nameWhatIsMissing(_ progress: inout SyncProgress) throws {
    guard progress.applies, let document = try document() else { return }
    for replica in progress.streams {
      let position = document[replica]
      let known = max(position.announced, progress.publishers.contains(replica) ? 1 : 0)
      var problem = progress.problems[replica]
      if problem?.isOfStream != true, position.sequence < known {
        let newest = try folder.segments(of: replica).last ?? 0
        if newest < known { problem = .missing(newest + 1) }
      }
      switch problem {
      case .missing(let segment), .unreadable(let segment):
        problem = try folder.placeholder(from: segment, of: replica).map { .placeholder($0) } ?? problem
      case nil where position.sequence == 0:
        problem = try folder.placeholder(from: 1, of: replica).map { .placeholder($0) }
      default: break
      }
      progress.problems[replica] = problem
    }
  }

  private func addVersions() throws {
    try vault.change { transaction, change in
      guard var document = try vault.syncDocument(transaction.read) else { return }
      try vault.addFirstVersions(by: document.replica, transaction, &change)
      document.hasVersions = true
      try vault.write(document, transaction, &change)
    }
  }

  private func publish() throws {
    guard let document = try document() else { return }
    if !document.hasVersions { try addVersions() }
    if document.own.sequence == 0 { try KeyFiles(vault, folder, now: now).publish() }
    try SegmentPublisher(vault: vault, folder: folder, now: now).publish()
    try leaveFormerEpoch(document)
  }
}

extension VaultSession {
  /// Makes a new vault file from a folder that other machines synchronise over, with their password, and unlocks it (S).
  ///
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - machine: the name by which other machines show this one.
  ///   - derive: runs the derivation of keys, which takes long. Others may use the session meanwhile.
  /// - Throws: ``SyncError/noVault``, ``SyncError/wrongPassword``, ``SyncError/vaultInFolder``; ``VaultError/exists`` for a vault
  ///   at the session's path; for the folder, ``SyncError/folderNotFound``, ``SyncError/notAFolder``, and ``FileError``;
  ///   `CancellationError`. Then there is no new vault file.
  public func joinSync(
    _ folder: UserPath, password: String, machine: String,
    deriving derive: (() async throws -> Void) async throws -> Void = { try await $0() },
    _ report: (Int) async -> Void = { _ in }
  ) async throws -> SyncStatus {
    guard try !status().exists else { throw VaultError.exists }
    try await requireVault(outside: folder)
    let calls = FolderCalls(calls(on: folder))
    let files = try await runInBackground(whenCancelled: .wait) {
      try KeyFiles.all(in: SyncFolder.all(in: folder, calls))
    }
    guard !files.isEmpty else { throw SyncError.noVault }
    let secret = try SecretBytes(password: password)
    var found: OpenKeyFile?
    try await derive { found = try await runInBackground { try KeyFiles.open(files, with: secret) } }
    guard let key = try await found?.ifCurrent() else { throw SyncError.wrongPassword }
    guard try !status().exists else { throw VaultError.exists }
    try await create(key.file.vault, vaultKey: key.vaultKey, slot: key.file.slot)
    do {
      return try await fill(from: folder, machine: machine, key.file, report)
    } catch {
      // It may lack every card, and would be in the way of another attempt.
      if !isLocked { try? await remove() }
      throw error
    }
  }

  /// Synchronises a vault that was made for a folder for the first time.
  private func fill(
    from folder: UserPath, machine: String, _ file: KeyFile, _ report: (Int) async -> Void
  ) async throws -> SyncStatus {
    // This machine may have had the vault before.
    try acceptOlder()
    let replica = try Identifier.random()
    let place = try replicaPlace()
    let vault = try unlocked()
    try vault.change { transaction, change in
      var document = SyncDocument(replica: replica)
      (document.folder, document.machine, document.place) = (folder.absolute, machine, place)
      (document.password, document.own.generation) = (file.password, change.generation)
      document.hasVersions = true
      try vault.write(document, transaction, &change)
    }
    return try await synchronize(report)
  }
}
