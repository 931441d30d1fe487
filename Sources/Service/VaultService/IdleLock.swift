import Vault
import Wire

/// The time without activity after which the vault locks (R12).
final class IdleLock {
  private let clock: any Clock
  private var timer: (any EventLoop.Timer)?
  /// The time of the last activity, in milliseconds of the boot clock.
  private var lastActivity: Int64 = 0

  init(clock: any Clock) {
    self.clock = clock
  }

  /// Takes the timer whose action asks ``isDue(afterSeconds:)``. Without one the vault does not lock by itself.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
  }

  /// Restarts the time.
  ///
  /// - Parameter seconds: how long it is; nil turns the lock off.
  func restart(seconds: Int?) {
    lastActivity = clock.boot
    guard let seconds else { return stop() }
    timer?.set(after: .seconds(seconds))
  }

  /// Whether the time is over. Where it is not, the timer is set to what is left.
  func isDue(afterSeconds seconds: Int) -> Bool {
    let remaining = Int64(seconds) * 1_000 - max(clock.boot - lastActivity, 0)
    guard remaining > 0 else { return true }
    timer?.set(after: .milliseconds(remaining))
    return false
  }

  func stop() {
    timer?.cancel()
  }
}
