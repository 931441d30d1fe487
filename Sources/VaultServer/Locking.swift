import JSONRPC
import VaultProtocol
import VaultSession

/// When the vault locks by itself: after the set time without activity (R12).
struct AutoLock {
  let clock: any Clock
  var timer: (any Timer)?
  /// When somebody was last there, in milliseconds of the boot clock.
  var lastActivity: Int64 = 0

  init(clock: any Clock) {
    self.clock = clock
  }

  /// How long it is until the vault locks, in milliseconds; zero or less where it is time.
  func remaining(_ seconds: Int) -> Int64 {
    Int64(seconds) * 1_000 - max(clock.boot - lastActivity, 0)
  }
}

extension Conversation {
  /// Locks the vault.
  ///
  /// - Returns: what the client is told, and whether the process is to be replaced; nothing where it was locked already.
  func lock(_ reason: LockReason) -> (notifications: [any OutgoingNotification], handsOff: Bool) {
    guard session.lock(reason) else { return ([], false) }
    return noteLocked(reason)
  }

  /// Does what follows when the vault was locked.
  ///
  /// - Returns: what the client is told, and that the process is to be replaced.
  func noteLocked(_ reason: LockReason) -> (notifications: [any OutgoingNotification], handsOff: Bool) {
    interrupt(reason == .sleep || reason == .shutdown ? .ending : .lock)
    autoLock?.timer?.cancel()
    endImaging()
    isHandingOff = true
    log?("locked: \(reason.rawValue)")
    let told = SessionDidLock.Reason(rawValue: reason.rawValue) ?? .request
    return ([SessionDidLock(reason: told)], true)
  }

  /// Begins the time until the vault locks anew: somebody is there.
  func noteActivity() {
    guard !session.isLocked, let autoLock, let settings = try? session.settings() else { return }
    self.autoLock?.lastActivity = autoLock.clock.boot
    guard let seconds = settings.autoLockSeconds else {
      autoLock.timer?.cancel()
      return
    }
    autoLock.timer?.set(after: .seconds(seconds))
  }

  /// Locks the vault if nobody was there for the set time; called when the timer goes off.
  func lockIfIdle() {
    guard let autoLock, let seconds = try? session.settings().autoLockSeconds else { return }
    let remaining = autoLock.remaining(seconds)
    guard remaining <= 0 else {
      autoLock.timer?.set(after: .milliseconds(remaining))
      return
    }
    lockNow(.timeout)
  }

  /// Locks the vault between two requests, or under the one at hand.
  func lockNow(_ reason: LockReason) {
    let (notifications, handsOff) = lock(reason)
    guard handsOff else { return }
    // At once: an answer that ends the process too, of a request that was given up for this, is not to come before it.
    connection?.assumeIsolated { $0.handOff(telling: notifications) }
  }
}
