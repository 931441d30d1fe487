import Vault
import VaultInterface

/// Automatic synchronisation: after an unlock, after changes, when files arrive, and at intervals (S).
extension VaultService {
  /// Handles that a request opened the vault, or changed it.
  func noteForSync(wasUnlocked: Bool) {
    guard !session.isLocked, vault.demo == nil else { return }
    if !wasUnlocked {
      sync.begin(isEnabled: (try? session.syncStatus()) != nil, at: session.generation)
      sync.schedule(after: 0)
      beginMirroring()
    } else {
      sync.didAnswer(at: session.generation)
    }
    watchSyncFolder()
  }

  /// Watches the folder, in nobody's turn: it may stall.
  private func watchSyncFolder() {
    guard sync.isWatchDue else { return }
    Task { await sync.watchFolder(session) }
  }

  /// Synchronises the vault; called when the timer fires.
  func synchronizeAutomatically() async {
    guard !session.isLocked else { return }
    guard !sync.isRunning else { return sync.schedule(after: 0) }
    var hasTurn = false
    do {
      try await sync.run(session) {
        // Requests do not wait for a folder that stalls, such as that of a server which is gone.
        try await session.awaitSyncFolder()
        try await takeTurn()
        hasTurn = true
        return try await session.synchronize(pause: pauseSync)
      }
    } catch let error where !session.isLocked && !(error is CancellationError) {
      log.record(error, of: "sync")
    } catch {}
    if !hasTurn {
      do { try await takeTurn() } catch { return }
    }
    checkpoints.note(session)
    notifyCardChanges()
    notifySyncStatus()
    watchSyncFolder()
    await requests.leave(.writing)
  }

  /// Notifies clients of what was applied, and lets waiting requests run before the rest.
  func pauseSync(_ reason: SyncPause) async throws {
    switch reason {
    case .merged(let merge):
      notifyCardChanges()
      if !merge.conflicts.isEmpty { showMessage(.conflict) }
      await requests.pause(.writing)
    case .folderStalled:
      try await awaitFolderOutOfTurn()
    }
    try Task.checkCancellation()
  }

  /// Lets requests run until the folder answers.
  private func awaitFolderOutOfTurn() async throws {
    await requests.leave(.writing)
    do {
      try await session.awaitSyncFolder()
    } catch {
      await requests.takeAgain(.writing)
      throw error
    }
    await requests.takeAgain(.writing)
  }

  /// Lets others take turns during a request, which has a password: as during a prompt, the process is not replaced meanwhile.
  func leaveTurn(_ access: Access) async {
    openPrompts += 1
    await requests.leave(access)
  }

  /// - Throws: ``VaultError/locked`` if the vault was locked meanwhile, and the process is about to be replaced.
  func takeTurnAgain(_ access: Access) async throws {
    await requests.takeAgain(access)
    openPrompts -= 1
    guard !isHandingOff else { throw VaultError.locked }
  }

  private func takeTurn() async throws {
    if !(await requests.enter(.writing)) { try await requests.wait(for: .writing) }
  }

  private func notifyCardChanges() {
    for changes in [session.takeExternalChanges(), session.takeOwnChanges()] {
      if let changes { notifyAll(CardDidChange(changes)) }
    }
  }

  /// Locks the vault between two requests, or during one, after publishing what was changed before.
  ///
  /// - Parameter isDue: whether it is still to be locked after that.
  func lockPublished(_ reason: LockReason, if isDue: @escaping () -> Bool = { true }) {
    guard sync.hasUnpublished else { return lockNow(reason) }
    interruptAll(.lock)
    Task {
      await publishBeforeLock(within: SyncService.lockTimeouts.byNobody)
      if isDue() { lockNow(reason) }
    }
  }

  /// Publishes what was changed before a lock. It does not wait for what others have published.
  ///
  /// - Parameter limit: the longest wait, in milliseconds. What is not published by then is so after the next unlock.
  func publishBeforeLock(within limit: Int64) async {
    let end = configuration.clock.boot + limit
    var isPublishing = true
    // Another client may change something at any wait.
    while isPublishing, sync.hasUnpublished, !session.isLocked {
      isPublishing = await publish(within: end - configuration.clock.boot)
    }
  }

  /// - Returns: whether everything was published in time that had been changed at the beginning.
  private func publish(within limit: Int64) async -> Bool {
    guard limit > 0 else { return false }
    return await wait(limit) { await $0.publish() }
  }

  private func publish() async -> Bool {
    sync.cancelAutomaticRun()
    do {
      try await takeTurn()
    } catch {
      return false
    }
    var isDone = false
    do {
      try await sync.publish(session) { try await session.publishChanges() }
      isDone = true
    } catch is CancellationError {
    } catch {
      if !session.isLocked { log.record(error, of: "sync") }
    }
    notifyCardChanges()
    await requests.leave(.writing)
    return isDone
  }

  /// Notifies clients of the synchronisation status, if it changed since the last notification.
  func notifySyncStatus() {
    guard sync.hasRun || account.hasUnreportedChange, !session.isLocked else { return }
    let status = try? session.syncStatus(sync.problems)
    if let status { account.note(published: status.published) }
    guard sync.isUnreported(status, account.takeMirrorReport()) else { return }
    let signedIn = account.ifSignedIn(to: session)
    for client in clients.values where isAdmitted(client) {
      let answer = SyncResponse(status, sync, signedIn, language(of: client))
      client.notifications.send(SyncDidChange(answer))
    }
  }
}
