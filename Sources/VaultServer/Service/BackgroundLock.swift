import EventLoop

/// The minute that a terminal counts as in front after its client went to the background (R12): a user who suspends Emacs to
/// type `qv` is still there.
final class BackgroundLock {
  /// In milliseconds.
  static let delay: Int64 = 60_000

  private var timer: (any EventLoop.Timer)?

  /// Takes the timer whose action asks whether the lock is due.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
  }

  /// Asks again after a time.
  func restart(after milliseconds: Int64 = delay) {
    timer?.set(after: .milliseconds(milliseconds))
  }

  func stop() {
    timer?.cancel()
  }
}
