import VaultSession

/// Locking when no client is in front (R12).
extension VaultService {
  /// Handles that a client went to the background: at once if it is alone, or was the last in front and has no terminal.
  func didEnterBackground(_ client: ClientConversation) -> FollowUp {
    guard isShared else { return locksInBackground ? lock(.background, for: client) : ([], false) }
    guard isAdmitted(client), isInBackground else { return ([], false) }
    guard client.origin?.terminal == nil else {
      client.lastActivity = configuration.clock.boot
      lockSoonIfInBackground()
      return ([], false)
    }
    return lock(.background, for: client)
  }

  /// Locks a minute after the last activity in a terminal, if no client is in front by then.
  func lockSoonIfInBackground() {
    guard isInBackground else { return }
    backgroundLock.restart()
  }

  /// Locks if no client is in front; called when the timer fires.
  func lockIfInBackground() {
    guard isInBackground else { return }
    let last = clients.values.map(\.lastActivity).max() ?? 0
    let remaining = BackgroundLock.delay - (configuration.clock.boot - last)
    guard remaining <= 0 else { return backgroundLock.restart(after: remaining) }
    lockNow(.background)
  }

  private var locksInBackground: Bool {
    (try? session.settings().lockOnBackground) ?? false
  }

  /// Whether the setting is on, and all clients that may use the vault are in the background. Without any, the vault stays
  /// unlocked for the next one.
  private var isInBackground: Bool {
    guard locksInBackground else { return false }
    let admitted = clients.values.filter(isAdmitted)
    return !admitted.isEmpty && admitted.allSatisfy(\.isInBackground)
  }
}
