import Synchronization
import VaultProtocol
import VaultSession
import VaultSync

/// Synchronisation unasked: after the unlock, after changes, when something arrives, and at times (S).
extension VaultService {
  /// Handles that a request opened the vault, or changed it.
  func noteForSync(wasUnlocked: Bool, _ access: Access) {
    guard !session.isLocked, vault.demo == nil else { return }
    if !wasUnlocked {
      sync.begin(isEnabled: (try? session.syncStatus()) != nil)
      sync.run(after: 0)
    } else if access == .writing || access == .exclusive {
      sync.run(after: SyncService.publishDelay)
    }
  }

  /// Synchronises the vault; called when the timer fires.
  func synchronizeUnasked() async {
    guard !sync.isRunning, !session.isLocked else { return }
    sync.willRun()
    do {
      if !(await requests.enter(.writing)) { try await requests.wait(for: .writing) }
    } catch {
      return sync.didCancel()
    }
    if session.isLocked {
      sync.didCancel()
    } else {
      do {
        try await sync.run(session) { try await session.synchronize() }
      } catch {
        log.record(error, of: "sync")
      }
      for changes in [session.takeForeignChanges(), session.takeOwnChanges()] {
        if let changes { notifyAll(CardDidChange(changes)) }
      }
      tellOfSync()
    }
    await requests.leave(.writing)
  }

  /// Publishes what was changed just before a lock, for ``SyncService/longestWaitAtLock`` at most.
  func publishBeforeLock() async {
    guard sync.hasUnpublished, !session.isLocked else { return }
    await withCheckedContinuation { continuation in
      let end = FirstEnd(continuation)
      guard let timer = try? configuration.makeTimer(loop, { end.reach() }) else { return end.reach() }
      timer.set(after: .milliseconds(SyncService.longestWaitAtLock))
      Task {
        await synchronizeUnasked()
        timer.cancel()
        end.reach()
      }
    }
  }

  /// Tells clients how the vault is synchronised, if they have not been told yet.
  func tellOfSync() {
    guard sync.hasRun, !session.isLocked else { return }
    let status = try? session.syncStatus()
    guard sync.isNews(status) else { return }
    for client in clients.values where isAdmitted(client) {
      let answer = SyncAnswer(status, sync, language(of: client))
      client.notifications.send(SyncDidChange(answer))
    }
  }
}

/// The first of two ends of a wait.
private final class FirstEnd: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  func reach() {
    continuation.withLock { waiting in
      waiting?.resume()
      waiting = nil
    }
  }
}
