import JSONRPC
import SharedService
import VaultProtocol
import VaultSession

extension VaultService {
  /// What follows an answer: notifications, and whether the process is replaced after them.
  typealias FollowUp = (notifications: [any OutgoingNotification], handsOff: Bool)

  /// Locks the vault and notifies the other clients.
  ///
  /// - Parameter client: the one whose message leads to it, if any.
  /// - Returns: what follows the answer to that message; nothing if the vault was locked already.
  func lock(_ reason: LockReason, for client: ClientConversation? = nil) -> FollowUp {
    mirrorBeforeLock()
    guard session.lock(reason) else { return ([], false) }
    return didLock(reason, for: client)
  }

  /// Notifies the clients of a lock, as ``lock(_:for:)`` does.
  func didLock(_ reason: LockReason, for client: ClientConversation?) -> FollowUp {
    interruptAll(reason == .sleep || reason == .shutdown ? .shutdown : .lock)
    idleLock.stop()
    sync.stop()
    account.leave()
    imaging.assumeIsolated { $0.endAll() }
    log.note("locked: \(reason.rawValue)")
    let notifications = [SessionDidLock(reason: SessionDidLock.Reason(rawValue: reason.rawValue) ?? .request)]
    handOff(except: client, sending: notifications)
    return (notifications + (client.map(updateNotification) ?? []), true)
  }

  /// Returns the notification that the program was updated, if the service ends for that at this lock.
  private func updateNotification(to client: ClientConversation) -> [any OutgoingNotification] {
    guard isShared, Executables.ownWasReplaced else { return [] }
    return [ShowMessage(.programUpdated, language(of: client))]
  }

  /// Locks the vault between two requests, or during one.
  func lockNow(_ reason: LockReason) {
    _ = lock(reason)
  }

  /// Locks the vault if there was no activity for the set time; called when the timer fires.
  func lockIfIdle() {
    guard let seconds = try? session.settings().autoLockSeconds, idleLock.isDue(afterSeconds: seconds)
    else { return }
    lockPublished(.timeout) { [idleLock] in idleLock.isDue(afterSeconds: seconds) }
  }

  /// Restarts the times until the vault locks: for all clients, whichever was active.
  ///
  /// - Parameter client: nil for the service itself. One that may not use the vault does not keep it unlocked.
  func noteActivity(of client: ClientConversation? = nil) {
    guard !session.isLocked, let settings = try? session.settings(), client.map(isAdmitted) ?? true else {
      return
    }
    idleLock.restart(seconds: settings.autoLockSeconds)
    backgroundLock.restart(seconds: Self.backgroundDelay)
  }

  func interruptAll(_ reason: Interruption, except excluded: ClientConversation? = nil) {
    for client in clients.values where client !== excluded { client.interrupter.interrupt(reason) }
  }

  /// Handles a right password or fingerprint: admits the client, and tells the others if the vault was locked before.
  func didAuthenticate(_ client: ClientConversation, by means: AdmissionMeans, wasLocked: Bool) {
    if wasLocked { admissions.didUnlock(session.keyIdentifier) }
    admit(client, by: means)
    account.proxies = account.proxies ?? client.proxies
    guard wasLocked, !session.isLocked else { return }
    admissions.forgetRefusals()
    for other in clients.values where other !== client {
      other.notifications.send(SessionDidUnlock(isAdmitted: isAdmitted(other)))
    }
  }

  /// Hands the connections of all clients but one to the next process.
  ///
  /// At once: the answer to a request that was interrupted for this must not end the process before.
  ///
  /// - Parameter keepsWaiting: whether messages that wait for their turn go to the next process, in place of being refused.
  func handOff(
    except client: ClientConversation?, sending notifications: [any OutgoingNotification] = [],
    keepsWaiting: Bool = false
  ) {
    guard !isHandingOff else { return }
    isHandingOff = true
    interruptAll(.password, except: client)
    for other in clients.values where other !== client {
      other.notifications.handOff(
        sending: notifications + updateNotification(to: other), keepsWaiting: keepsWaiting)
    }
    onChange()
  }
}
