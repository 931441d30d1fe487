import JSONRPC
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
    guard session.lock(reason) else { return ([], false) }
    return didLock(reason, for: client)
  }

  /// Notifies the clients of a lock, as ``lock(_:for:)`` does.
  func didLock(_ reason: LockReason, for client: ClientConversation?) -> FollowUp {
    interruptAll(reason == .sleep || reason == .shutdown ? .shutdown : .lock)
    idleLock.stop()
    imaging.assumeIsolated { $0.endAll() }
    log.note("locked: \(reason.rawValue)")
    let notifications = [SessionDidLock(reason: SessionDidLock.Reason(rawValue: reason.rawValue) ?? .request)]
    handOff(except: client, sending: notifications)
    return (notifications, true)
  }

  /// Locks the vault between two requests, or during one.
  func lockNow(_ reason: LockReason) {
    _ = lock(reason)
  }

  /// Locks the vault if there was no activity for the set time; called when the timer fires.
  func lockIfIdle() {
    guard let seconds = try? session.settings().autoLockSeconds, idleLock.isDue(afterSeconds: seconds)
    else { return }
    lockNow(.timeout)
  }

  /// Restarts the time until the vault locks.
  func noteActivity() {
    guard !session.isLocked, let settings = try? session.settings() else { return }
    idleLock.restart(seconds: settings.autoLockSeconds)
  }

  func interruptAll(_ reason: Interruption) {
    for client in clients.values { client.interrupter.interrupt(reason) }
  }

  /// Hands the connections of all clients but one to the next process.
  ///
  /// At once: the answer to a request that was interrupted for this must not end the process before.
  func handOff(except client: ClientConversation?, sending notifications: [any OutgoingNotification] = []) {
    guard !isHandingOff else { return }
    isHandingOff = true
    for other in clients.values where other !== client { other.notifications.handOff(sending: notifications) }
  }
}
