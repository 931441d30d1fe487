import CLinux

/// Ends the process, with SIGKILL, if a turn of its event loop takes too long: a call to the file system may never return, and
/// then nothing that runs on the loop can erase a key.
///
/// It is a timer of the kernel, so it depends on no thread of the process. Two system calls for each time that the loop waits.
public final class TurnLimit {
  private let timer: Int64
  private let seconds: Int64
  private var isLast = false

  /// - Parameter seconds: how long a turn may take.
  /// - Throws: ``SystemError`` if the kernel has no timer left.
  public init(seconds: Int64) throws(SystemError) {
    timer = linux_kill_timer()
    guard timer >= 0 else { throw SystemError("timer_create") }
    self.seconds = seconds
  }

  /// Ends the process after this turn, too, if no other program has replaced it by then.
  public func beginLast() {
    restart()
    isLast = true
  }

  /// Begins a turn.
  func restart() {
    guard !isLast else { return }
    _ = linux_kill_timer_set(timer, seconds)
  }

  /// Ends a turn: the loop waits.
  func stop() {
    guard !isLast else { return }
    _ = linux_kill_timer_set(timer, 0)
  }
}
