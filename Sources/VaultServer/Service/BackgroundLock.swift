import EventLoop
import VaultSession

/// The minute that a terminal counts as in front after its client went to the background (R12): a user who suspends Emacs to
/// type `qv` is still there.
final class BackgroundLock {
  /// In milliseconds.
  private static let delay: Int64 = 60_000

  private let clock: any Clock
  private var timer: (any EventLoop.Timer)?
  /// The time of the last activity of a client that may use the vault, in milliseconds of the boot clock.
  private var lastActivity: Int64 = 0

  init(clock: any Clock) {
    self.clock = clock
  }

  /// Takes the timer whose action asks whether the lock is due.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
  }

  /// Begins the minute anew.
  func restart() {
    lastActivity = clock.boot
    timer?.set(after: .milliseconds(Self.delay))
  }

  /// Whether the minute is over. Where it is not, the timer is set to what is left.
  func isDue() -> Bool {
    let remaining = Self.delay - max(clock.boot - lastActivity, 0)
    guard remaining > 0 else { return true }
    timer?.set(after: .milliseconds(remaining))
    return false
  }
}
