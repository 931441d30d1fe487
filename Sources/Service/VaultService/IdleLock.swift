import Vault
import Wire

/// The time without activity after which the vault locks (R12).
final class IdleLock {
  private let clock: any Clock
  private var timer: (any EventLoop.Timer)?
  /// The time of the last activity, in milliseconds of the boot clock.
  private var lastActivity: Int64 = 0
  /// When the timer fires, by the same clock; nil while it is not set. An activity leaves it as it is: the time that is left
  /// then is known when it fires.
  private var firesAt: Int64?

  init(clock: any Clock) {
    self.clock = clock
  }

  /// Takes the timer whose action asks ``isDue(afterSeconds:)``. Without one the vault does not lock by itself.
  func use(_ timer: (any EventLoop.Timer)?) {
    (self.timer, firesAt) = (timer, nil)
  }

  /// Restarts the time.
  ///
  /// - Parameter seconds: how long it is; nil turns the lock off.
  func restart(seconds: Int?) {
    lastActivity = clock.boot
    guard let seconds else { return stop() }
    let span = Int64(seconds) * 1_000
    if let firesAt, firesAt > lastActivity, firesAt <= lastActivity + span { return }
    fire(after: span)
  }

  /// Whether the time is over. Where it is not, the timer is set to what is left.
  func isDue(afterSeconds seconds: Int) -> Bool {
    let remaining = Int64(seconds) * 1_000 - max(clock.boot - lastActivity, 0)
    firesAt = nil
    guard remaining > 0 else { return true }
    fire(after: remaining)
    return false
  }

  func stop() {
    firesAt = nil
    timer?.cancel()
  }

  /// - Parameter span: in milliseconds.
  private func fire(after span: Int64) {
    firesAt = clock.boot + span
    timer?.set(after: .milliseconds(span))
  }
}

/// Has the vault's log copied into its file soon after a change: whoever copies the file of an unlocked vault gets all but the
/// last moments (R14).
final class CheckpointSchedule {
  /// How long after a change, and after an attempt that another process kept from being complete.
  static let delay = Duration.seconds(2)

  private var timer: (any EventLoop.Timer)?
  private var isDue = false

  /// Takes the timer whose action calls ``run(_:)``. Without one, SQLite copies a log that became long, and that of a vault that
  /// is locked.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
  }

  /// Handles that the vault may have changed.
  func note(_ session: VaultSession) {
    guard !isDue, session.needsCheckpoint else { return }
    isDue = true
    timer?.set(after: Self.delay)
  }

  /// Begins to copy the log, and looks later whether it was complete.
  func run(_ session: VaultSession) {
    isDue = false
    session.beginCheckpoint()
    note(session)
  }

  func stop() {
    isDue = false
    timer?.cancel()
  }
}
