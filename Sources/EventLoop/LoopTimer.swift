import CLinux
import Glibc

/// A timer that calls an action on a loop's thread. Time for which the machine is suspended counts.
///
/// It is used and released on that thread. Releasing it cancels it.
public final class LoopTimer: @unchecked Sendable {
  private let loop: EventLoop
  private let descriptor: Int32

  /// - Throws: ``SystemError`` if there are no descriptors left.
  public init(on loop: EventLoop, _ action: @escaping @Sendable () -> Void) throws(SystemError) {
    self.loop = loop
    descriptor = linux_boot_timer()
    guard descriptor >= 0 else { throw SystemError("timerfd_create") }
    loop.watch(descriptor, for: .reading) { [descriptor] in
      var count: UInt64 = 0
      if unsafe read(descriptor, &count, 8) == 8 { action() }
    }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }

  /// Starts the timer, or restarts it.
  ///
  /// - Parameter span: the time to wait; the timer fires at once if it is not positive.
  public func set(after span: Duration) {
    let (seconds, attoseconds) = span.components
    let nanoseconds = Int(attoseconds / 1_000_000_000)
    let isPositive = seconds > 0 || nanoseconds > 0
    linux_boot_timer_set(descriptor, isPositive ? seconds : 0, isPositive ? Int64(nanoseconds) : 1)
  }

  /// Stops the timer.
  public func cancel() {
    linux_boot_timer_set(descriptor, 0, 0)
  }
}
