import Glibc
public import Identifiers
import VaultCrypto
import VaultMaintenance
public import VaultModel
public import VaultSession
import VaultStore

extension VaultSession {
  /// Begins to synchronise the open vault over a folder, and publishes all of it there (S).
  ///
  /// - Parameters:
  ///   - folder: an absolute path. It is made if it is missing, in a directory that is there.
  ///   - machine: the name by which other machines show this one.
  /// - Throws: ``SyncError/alreadyEnabled``; ``FileError`` for the folder; ``VaultError/locked`` and the others of a change.
  public func enableSync(
    _ folder: UserPath, machine: String, _ report: (Int) async -> Void = { _ in }
  ) async throws -> SyncStatus {
    let vault = try access()
    let known = try vault.reading { try vault.syncDocument($0) }
    guard known?.folder.isEmpty ?? true else { throw SyncError.alreadyEnabled }
    try await runInBackground { try Self.makeFolder(folder) }
    let replica = try Identifier.random()
    let place = try replicaPlace()
    try await changeInBackground(report) { vault, _ in
      let (_, change) = try vault.committing { transaction, change in
        try vault.addFirstVersions(by: replica, transaction, &change)
        // Others may have published some of them over another folder.
        try vault.publishAll(transaction, &change)
        var document = SyncDocument(replica: replica)
        (document.folder, document.machine, document.place) = (folder.absolute, machine, place)
        document.password = known?.password
        try vault.write(document, transaction, &change)
      }
      return ((), change)
    }
    do {
      return try await synchronize(report)
    } catch {
      if !isLocked { try disableSync() }
      throw error
    }
  }

  /// Makes the folder, but not the one above it, which may be on a medium that is not there.
  private static func makeFolder(_ folder: UserPath) throws {
    guard unsafe Glibc.access(folder.directory, F_OK) == 0 else { throw FileError.notFound }
    do { try Directory.make(folder.path) } catch StoreError.missingDirectory { throw FileError.notRegular }
  }

  /// Stops to synchronise. What was published stays in the folder, and the vault keeps what it has. Its writes are still numbered,
  /// so that it can be synchronised again.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``.
  public func disableSync() throws {
    let vault = try access()
    let known = try syncFolder().document
    let place = try replicaPlace()
    try vault.change { transaction, change in
      var document = SyncDocument(replica: known.replica)
      (document.place, document.password) = (place, known.password)
      try vault.write(document, transaction, &change)
    }
  }

  /// Applies what other replicas have published, and publishes what this one wrote.
  ///
  /// A folder that cannot be read or written is an error; what is wrong with a file in it is not, and is in the status.
  ///
  /// - Parameter pause: called between two transactions with what the last one merged; others may change the vault meanwhile. If it
  ///   locks the vault, or leads it to another folder or key, this ends.
  /// - Throws: ``SyncError/notEnabled``, ``FileError``, ``VaultError/locked`` and the others of a change; `CancellationError`.
  @discardableResult public func synchronize(
    _ report: (Int) async -> Void = { _ in }, pause: (Merge) async throws -> Void = { _ in }
  ) async throws -> SyncStatus {
    let (folder, document) = try syncFolder()
    let found = try await look(into: folder, report)
    guard !found.hasSuccessor else { return try status([:], hasNewKey: true) }
    if let password = found.password { try await adopt(password, folder, report) }
    let problems = try await applyAll(folder, found.replicas, report) { merge in
      try await pause(merge)
      guard try syncFolder().folder.path == folder.path else { throw CancellationError() }
    }
    try await publish(folder, document.replica, report)
    try await leaveFormerEpoch(folder, report)
    return try status(problems)
  }

  /// What others have in the folder.
  private struct Findings: Sendable {
    var hasSuccessor: Bool
    var replicas: [Identifier] = []
    /// The file of a newer password.
    var password: KeyFile?
  }

  /// Looks what others have in the folder, and publishes this replica's password there, unless there is a newer one.
  private func look(into folder: SyncFolder, _ report: (Int) async -> Void) async throws -> Findings {
    let now = now.milliseconds
    return try await changeInBackground(report) { vault, _ in
      try folder.requireParent()
      let keyFiles = KeyFiles(vault: vault, folder: folder, now: now)
      var findings = Findings(hasSuccessor: try folder.hasSuccessor(vault.reader.keys))
      if findings.hasSuccessor { return (findings, nil) }
      findings.replicas = try folder.replicas()
      findings.password = try keyFiles.newer()
      return (findings, try findings.password == nil ? keyFiles.publish() : nil)
    }
  }

  /// Publishes what this replica wrote, and its password, and applies nothing.
  ///
  /// - Throws: as ``synchronize(_:)``.
  public func publishChanges() async throws {
    let (folder, document) = try syncFolder()
    let found = try await look(into: folder) { _ in }
    guard !found.hasSuccessor else { return }
    try await publish(folder, document.replica) { _ in }
  }

  private func publish(
    _ folder: SyncFolder, _ replica: Identifier, _ report: (Int) async -> Void
  ) async throws {
    let now = now.milliseconds
    // After a repair, some cards may have lost their versions.
    if try syncFolder().document.own.sequence == 0 {
      try await changeInBackground(report) { vault, _ in
        ((), try vault.committing { try vault.addFirstVersions(by: replica, $0, &$1) }.change)
      }
    }
    let hasSettled = try await changeInBackground(report) { vault, _ in
      let publishing = Publishing(vault: vault, folder: folder, now: now)
      // The copy of the vault does not have the change: it is published from another one.
      if let change = try publishing.settleConflicts() { return (true, change) }
      return (false, try publishing.publish())
    }
    guard hasSettled else { return }
    try await changeInBackground(report) { vault, _ in
      ((), try Publishing(vault: vault, folder: folder, now: now).publish())
    }
  }

  /// Applies what all other replicas have published.
  @discardableResult func applyAll(
    _ folder: SyncFolder, _ found: [Identifier], _ report: (Int) async -> Void,
    pause: (Merge) async throws -> Void = { _ in }
  ) async throws -> [Identifier: SyncProblem] {
    let document = try syncFolder().document
    var problems: [Identifier: SyncProblem] = [:]
    let replicas = Set(found).union(document.others).subtracting([document.replica])
    var left = replicas.sorted()[...]
    while !left.isEmpty {
      let steps = try await applyNext(of: left, folder, report)
      for (replica, step) in zip(left, steps) { problems[replica] = step.problem }
      left = left.dropFirst(steps.last?.hasMore == true ? steps.count - 1 : steps.count)
      if let step = steps.last, step.change != nil { try await pause(step.merge) }
    }
    return problems
  }

  /// Returns how the vault stands, without looking into the folder: so without problems, and whether there is a new key.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``.
  public func syncStatus() throws -> SyncStatus { try status([:]) }

  /// Removes another replica, whose machine is gone, from the folder, and publishes what only it had published.
  ///
  /// - Throws: ``SyncError/ownReplica``, ``SyncError/unknownReplica``; those of ``synchronize(_:)``.
  public func forgetReplica(_ replica: Identifier, _ report: (Int) async -> Void = { _ in }) async throws {
    let (folder, document) = try syncFolder()
    let vaultID = folder.vault
    guard replica != document.replica else { throw SyncError.ownReplica }
    if !document.others.contains(replica) {
      let found = try await runInBackground { try folder.replicas() }
      guard found.contains(replica) else { throw SyncError.unknownReplica }
    }
    try await synchronize(report)
    let now = now.milliseconds
    try await changeInBackground(report) { vault, _ in
      let (_, change) = try vault.committing { transaction, change in
        try vault.publishAll(transaction, &change)
        guard var document = try vault.syncDocument(transaction.read) else { return }
        document.remove(replica)
        document.own.tailSize = .max / 2
        try vault.write(document, transaction, &change)
      }
      return ((), change)
    }
    try await changeInBackground(report) { vault, _ in
      ((), try Publishing(vault: vault, folder: folder, now: now).publish())
    }
    let path = try UserPath(document.folder)
    try await runInBackground(whenCancelled: .wait) {
      for folder in try SyncFolder.all(in: path) where folder.vault == vaultID {
        try folder.removeReplica(replica)
      }
    }
  }

  /// Takes over a newer password of another replica, and publishes it.
  private func adopt(_ file: KeyFile, _ folder: SyncFolder, _ report: (Int) async -> Void) async throws {
    let now = now.milliseconds
    // Not in the background: meanwhile, the session would take the change for another process's.
    try KeyFiles(vault: access(), folder: folder, now: now).adopt(file)
    try await changeInBackground(report) { vault, _ in
      ((), try KeyFiles(vault: vault, folder: folder, now: now).publish())
    }
  }

  /// Applies the next segments of the first of these replicas that has any.
  ///
  /// - Returns: what each of the replicas that were looked at had.
  private func applyNext(
    of replicas: ArraySlice<Identifier>, _ folder: SyncFolder, _ report: (Int) async -> Void
  ) async throws -> [Applying.Step] {
    try await changeInBackground(report) { vault, _ in
      var steps: [Applying.Step] = []
      for replica in replicas {
        let position = try vault.reading { try vault.syncDocument($0)?[replica] ?? ReplicaPosition() }
        do {
          steps.append(try Applying(vault: vault, folder: folder, replica: replica).applyNext(position))
        } catch let error where error is CryptoError || error is CardRecordError {
          steps.append(Applying.Step(problem: .unreadable(position.merged + 1)))
        }
        // The copy of the vault does not have the change.
        if let step = steps.last, step.hasMore || step.change != nil { break }
      }
      return (steps, steps.last?.change)
    }
  }

  func syncFolder() throws -> (folder: SyncFolder, document: SyncDocument) {
    let vault = try access()
    guard let document = try vault.reading({ try vault.syncDocument($0) }), !document.folder.isEmpty else {
      throw SyncError.notEnabled
    }
    return try (
      SyncFolder(
        try UserPath(document.folder), vault: vault.reader.vault, epoch: vault.reader.epoch,
        verified: verifiedFiles), document
    )
  }

  private func status(_ problems: [Identifier: SyncProblem], hasNewKey: Bool = false) throws -> SyncStatus {
    let document = try syncFolder().document
    let others = document.others.map { id in
      let position = document[id]
      return SyncStatus.Replica(
        id: id, machine: position.machine,
        lastSeen: position.sequence > 0 ? Timestamp(milliseconds: position.publishedAt) : nil,
        behind: Int(max(0, position.announced - position.sequence)), problem: problems[id])
    }
    return SyncStatus(
      folder: document.folder, replica: document.replica, machine: document.machine,
      published: Int(document.own.sequence), others: others,
      hasNewKey: hasNewKey)
  }
}
