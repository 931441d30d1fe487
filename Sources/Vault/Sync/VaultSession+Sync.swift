import Glibc
import VaultCrypto
import VaultInterface
import VaultStore
public import Wire

extension VaultSession {
  /// Begins to synchronise the open vault over a folder, and publishes all of it there (S).
  ///
  /// - Parameters:
  ///   - folder: an absolute path. It is made if it is missing, in a directory that is there.
  ///   - machine: the name by which other machines show this one.
  /// - Throws: ``SyncError/alreadyEnabled``, ``SyncError/vaultInFolder``; for the folder, ``SyncError/folderNotFound``,
  ///   ``SyncError/notAFolder``, and ``FileError``; ``VaultError/locked`` and the others of a change.
  public func enableSync(
    _ folder: UserPath, machine: String, _ report: (Int) async -> Void = { _ in },
    pause: ((SyncPause) async throws -> Void)? = nil
  ) async throws -> SyncStatus {
    let vault = try unlocked()
    let known = try vault.reading { try vault.syncDocument($0) }
    guard known?.folder.isEmpty ?? true else { throw SyncError.alreadyEnabled }
    try await requireVault(outside: folder)
    try await calls(on: folder).run { try Self.makeFolder(folder) }
    let replica = try Identifier.random()
    let place = try replicaPlace()
    try await changeInBackground(report) { vault, _ in
      try vault.change { transaction, change in
        try vault.addFirstVersions(by: replica, transaction, &change)
        // Others may have published some of them over another folder.
        try vault.publishAll(transaction, &change)
        var document = SyncDocument(replica: replica)
        (document.folder, document.machine, document.place) = (folder.absolute, machine, place)
        (document.password, document.hasVersions) = (known?.password, true)
        try vault.write(document, transaction, &change)
      }
    }
    let path = try syncFolder().folder.path
    do {
      return try await synchronize(report, pause: pause)
    } catch {
      // Others may have led the vault elsewhere at a pause.
      if let (folder, document) = try? syncFolder(), folder.path == path, document.replica == replica {
        try disableSync()
        try? await runInBackground(whenCancelled: .wait) { try folder.removeReplica(replica) }
      }
      throw error
    }
  }

  /// - Throws: ``SyncError/vaultInFolder`` where the vault's file is, or is to be made, in a folder or below it.
  func requireVault(outside folder: UserPath) async throws {
    let resolved = try await calls(on: folder).run { try? VaultFile.resolvedPath(folder.path) }
    guard let folder = resolved else { return }
    let file = (try? VaultFile.resolvedPath(path)) ?? path
    guard let directory = try? VaultFile.resolvedPath(UserPath(file).directory) else { return }
    if folder == "/" || (directory + "/").hasPrefix(folder + "/") { throw SyncError.vaultInFolder }
  }

  /// Makes the folder, but not the one above it, which may be on a medium that is not there.
  private static func makeFolder(_ folder: UserPath) throws {
    guard unsafe Glibc.access(folder.directory, F_OK) == 0 else { throw SyncError.folderNotFound }
    do { try Directory.make(folder.path) } catch StoreError.missingDirectory { throw SyncError.notAFolder }
  }

  /// Stops synchronising. Published files stay in the folder, and the vault keeps its cards. Its writes are still
  /// numbered, so that it can be synchronised again.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``.
  public func disableSync() throws {
    let vault = try unlocked()
    let known = try syncFolder().document
    let place = try replicaPlace()
    try vault.change { transaction, change in
      var document = SyncDocument(replica: known.replica)
      (document.place, document.password) = (place, known.password)
      try vault.write(document, transaction, &change)
    }
  }

  /// Publishes smaller segments in place of those that are there: a server did not take one of a size.
  ///
  /// - Parameter size: in bytes.
  /// - Returns: whether there is anything to publish; false if segments are smaller already, such as for one card that is as long.
  /// - Throws: ``VaultError/locked`` and the others of a change.
  public func shortenSegments(below size: Int) throws -> Bool {
    let vault = try unlocked()
    let target = max(size / 2, Segment.leastTargetSize)
    return try vault.change { transaction, change in
      guard var document = try vault.syncDocument(transaction.read), target < document.segmentSize else {
        return false
      }
      document.segmentSize = target
      document.own.requireSnapshot()
      try vault.write(document, transaction, &change)
      return true
    }
  }

  /// Applies what other replicas have published, and publishes what this one wrote.
  ///
  /// A folder that cannot be read or written is an error; what is wrong with a file in it is not, and is in the status.
  ///
  /// - Parameter pause: called between two transactions; others may change the vault meanwhile. If it locks the vault, or leads it to
  ///   another folder or key, this ends. Without one, nobody may change the vault however long the folder takes.
  /// - Throws: ``SyncError/notEnabled``; for the folder, ``SyncError/folderNotFound``, ``SyncError/notAFolder``, and ``FileError``;
  ///   ``VaultError/locked`` and the others of a change; `CancellationError`.
  @discardableResult public func synchronize(
    _ report: (Int) async -> Void = { _ in }, pause: ((SyncPause) async throws -> Void)? = nil
  ) async throws -> SyncStatus {
    let (folder, _) = try syncFolder()
    let progress = try await run(SyncProgress(), folder, report, pause: pause)
    return try status(progress.problems, hasNewKey: progress.hasNewKey)
  }

  /// Publishes what this replica wrote, and its password, and applies nothing.
  ///
  /// - Throws: as ``synchronize(_:)``; `CancellationError` also if the folder has not answered in time.
  public func publishChanges() async throws {
    try await run(
      SyncProgress(applies: false), syncFolder().folder,
      pause: { reason in
        if case .folderStalled = reason { throw CancellationError() }
      })
  }

  /// Goes on with a synchronisation until it is done.
  @discardableResult func run(
    _ progress: SyncProgress, _ folder: SyncFolder, _ report: (Int) async -> Void = { _ in },
    pause: ((SyncPause) async throws -> Void)? = nil
  ) async throws -> SyncProgress {
    let calls = folder.calls.thread
    var progress = progress
    while !progress.isDone {
      let (before, now) = (progress, now.milliseconds)
      let budget = TimeBudget(calls.limit)
      let step = pause == nil ? folder : folder.within(budget)
      var reason: SyncPause?
      do {
        progress = try await changeInBackground(report) { vault, _ in
          try SyncTurn(vault: vault, folder: step, now: now).run(before)
        }
        // Not in the background: meanwhile, the session would take the change for another process's.
        try progress.password?.adopt(by: unlocked(), at: now)
        calls.noteWait(budget.spent)
        reason = progress.merge.map { .merged($0) }
      } catch is StallableCalls.Stall {
        calls.noteWait(nil)
        // Until the folder answers, the vault may get another key or password.
        (progress.left, progress.again) = (nil, nil)
        reason = .folderStalled
      }
      guard let reason, let pause else { continue }
      try await pause(reason)
      guard try syncFolder().folder.path == folder.path else { throw CancellationError() }
    }
    return progress
  }

  /// Returns the status without reading the folder: a new key is not detected.
  ///
  /// - Parameter problems: those that the last synchronisation found.
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``.
  public func syncStatus(_ problems: [Identifier: SyncProblem] = [:]) throws -> SyncStatus {
    try status(problems)
  }

  /// Removes another replica, whose machine is gone, from the folder, and publishes what only it had published.
  ///
  /// - Throws: ``SyncError/ownReplica``, ``SyncError/unknownReplica``; those of ``synchronize(_:)``.
  public func forgetReplica(
    _ replica: Identifier, _ report: (Int) async -> Void = { _ in },
    pause: ((SyncPause) async throws -> Void)? = nil
  ) async throws {
    let (folder, document) = try syncFolder()
    let vaultID = folder.vault
    guard replica != document.replica else { throw SyncError.ownReplica }
    if !document.others.contains(replica) {
      let found = try await runInBackground(whenCancelled: .wait) {
        try folder.replicas() + folder.readKeyFiles().map(\.replica)
      }
      guard found.contains(replica) else { throw SyncError.unknownReplica }
    }
    try await synchronize(report, pause: pause)
    let now = now.milliseconds
    try await changeInBackground(report) { vault, _ in
      try vault.change { transaction, change in
        try vault.publishAll(transaction, &change)
        guard var document = try vault.syncDocument(transaction.read) else { return }
        document.remove(replica)
        document.own.requireSnapshot()
        try vault.write(document, transaction, &change)
      }
      try SegmentPublisher(vault: vault, folder: folder, now: now).publish()
    }
    let path = try UserPath(document.folder)
    let calls = folder.calls
    try await runInBackground(whenCancelled: .wait) {
      for folder in try SyncFolder.all(in: path, calls) where folder.vault == vaultID {
        try folder.removeReplica(replica)
      }
    }
  }

  func syncFolder() throws -> (folder: SyncFolder, document: SyncDocument) {
    let vault = try unlocked()
    guard let document = try vault.reading({ try vault.syncDocument($0) }), !document.folder.isEmpty else {
      throw SyncError.notEnabled
    }
    let path = try UserPath(document.folder)
    return try (
      SyncFolder(
        path, vault: vault.reader.vault, epoch: vault.reader.epoch, calls: FolderCalls(calls(on: path)),
        findings: folderFindings), document
    )
  }

  /// The most replicas that are listed of which nothing could be read: whoever can write to the folder can make any number.
  private static let unreadLimit = 64

  private func status(_ problems: [Identifier: SyncProblem], hasNewKey: Bool = false) throws -> SyncStatus {
    let document = try syncFolder().document
    // The document does not have a replica of which nothing could be read yet.
    let unread = Set(problems.keys).subtracting(document.others).sorted().prefix(Self.unreadLimit)
    let others = (document.others + unread).sorted().map { id in
      let position = document[id]
      return SyncStatus.Replica(
        id: id, machine: position.machine,
        lastSeen: position.sequence > 0 ? Timestamp(milliseconds: position.publishedAt) : nil,
        behind: Int(max(0, position.announced - position.sequence)), problem: problems[id],
        isPartial: position.begun > 0)
    }
    return SyncStatus(
      folder: document.folder, replica: document.replica, machine: document.machine,
      published: Int(document.own.sequence), others: others,
      hasNewKey: hasNewKey)
  }
}
