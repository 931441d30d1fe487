import Vault
import Wire

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
