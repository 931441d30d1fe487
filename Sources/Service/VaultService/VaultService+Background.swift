import Vault
import Wire

/// Locking when no client is in front (R12).
extension VaultService {
  /// How long a terminal counts as in front after its client went to the background, in seconds: a user who suspends Emacs to type
  /// `qv` is still there.
  static let backgroundDelay = 60

  /// Handles that a client went to the background: at once if it is alone, or was the last in front and has no terminal.
  func didEnterBackground(_ client: ClientConversation) -> FollowUp {
    guard isShared else {
      return locksInBackground ? lockAfterPublishing(for: client) : FollowUp()
    }
    guard isAdmitted(client), isInBackground else { return FollowUp() }
    guard client.origin?.terminal == nil else {
      backgroundLock.restart(seconds: Self.backgroundDelay)
      return FollowUp()
    }
    return lockAfterPublishing(for: client)
  }

  /// Locks at once if everything is published.
  private func lockAfterPublishing(for client: ClientConversation) -> FollowUp {
    guard sync.hasUnpublished else { return lock(.background, for: client) }
    lockPublished(.background)
    return FollowUp()
  }

  /// Locks if no client is in front and the minute is over; called when the timer fires, and when a client has left.
  func lockIfInBackground() {
    guard isInBackground, backgroundLock.isDue(afterSeconds: Self.backgroundDelay) else { return }
    lockPublished(.background) { [weak self] in self?.assumeIsolated { $0.isInBackground } ?? false }
  }

  private var locksInBackground: Bool {
    (try? session.settings().isOn(.lockOnBackground)) ?? false
  }

  /// Whether the setting is on, and all clients that may use the vault are in the background. Without any, the vault stays
  /// unlocked for the next one.
  private var isInBackground: Bool {
    guard locksInBackground else { return false }
    let admitted = clients.values.filter(isAdmitted)
    return !admitted.isEmpty && admitted.allSatisfy(\.isInBackground)
  }
}
