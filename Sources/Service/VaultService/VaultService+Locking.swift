import Vault
import VaultInterface
import Wire

extension VaultService {
  /// Locks the vault and notifies the other clients.
  ///
  /// - Parameter client: the one whose message leads to it, if any.
  /// - Returns: what follows the answer to that message; nothing if the vault was locked already.
  func lock(_ reason: LockReason, for client: ClientConversation? = nil) -> FollowUp {
    mirrorBeforeLock()
    guard session.lock(reason) else { return FollowUp() }
    return didLock(reason, for: client)
  }

  /// Notifies the clients of a lock, as ``lock(_:for:)`` does.
  func didLock(_ reason: LockReason, for client: ClientConversation?) -> FollowUp {
    interruptAll(reason == .sleep || reason == .shutdown ? .shutdown : .lock)
    idleLock.stop()
    checkpoints.stop()
    sync.stop()
    account.leave()
    imaging.assumeIsolated { $0.endAll() }
    log.note("locked: \(reason.rawValue)")
    let notifications = [SessionDidLock(reason: SessionDidLock.Reason(rawValue: reason.rawValue) ?? .request)]
    handOff(.refusingWaiting, except: client, sending: notifications)
    return FollowUp(notifications + (client.map(updateNotification) ?? []), handOff: .refusingWaiting)
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
    guard let seconds = try? session.settings().seconds(.autoLockSeconds),
      idleLock.isDue(afterSeconds: seconds)
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
    limitTurns()
    idleLock.restart(seconds: settings.seconds(.autoLockSeconds))
    backgroundLock.restart(seconds: Self.backgroundDelay)
  }

  /// Makes the process end rather than stay unlocked if a call never returns, until the process is replaced.
  private func limitTurns() {
    guard loop.turnLimit == nil, let seconds = configuration.longestTurn else { return }
    do {
      loop.turnLimit = try TurnLimit(seconds: seconds)
    } catch {
      log.record(error, of: "turn limit")
    }
  }

  /// Tells all clients that may use the vault what nobody has asked for.
  func showMessage(_ event: ActionEvent) {
    for client in clients.values where isAdmitted(client) {
      client.notifications.send(ShowMessage(event, language(of: client)))
    }
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
    display = client.environment
    interruptAll(.unlocked, except: client)
    admissions.forgetRefusals()
    strangers.forgetQuestions()
    if !session.conflictFiles().isEmpty { showMessage(.conflictFiles) }
    for other in clients.values where other !== client {
      other.notifications.send(SessionDidUnlock(isAdmitted: isAdmitted(other)))
    }
  }

  /// Hands the connections of all clients but one to the next process.
  ///
  /// At once: the answer to a request that was interrupted for this must not end the process before.
  func handOff(
    _ handOff: HandOff, except client: ClientConversation?,
    sending notifications: [any OutgoingNotification] = []
  ) {
    guard !isHandingOff else { return }
    isHandingOff = true
    loop.turnLimit?.beginLast()
    interruptAll(.password, except: client)
    for other in clients.values where other !== client {
      other.notifications.handOff(
        handOff, sending: notifications + updateNotification(to: other), dropsInput: !isAdmitted(other))
    }
    onChange()
  }
}
