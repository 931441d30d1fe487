import CLinux
import Glibc

/// Calls an action on a loop's thread once a span of time has passed, the time that the machine sleeps included.
///
/// Like the loop it belongs to that thread, where it is also let go of; then it does not ring any more.
public final class LoopTimer: @unchecked Sendable {
  private let loop: EventLoop
  private let descriptor: Int32

  /// An alarm that is not set.
  ///
  /// - Throws: ``SystemError`` where there is no descriptor left.
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

  /// Sets the alarm, in place of what it was set to.
  ///
  /// - Parameter span: how long to wait; at once where it is not above zero.
  public func set(after span: Duration) {
    let (seconds, attoseconds) = span.components
    let nanoseconds = Int(attoseconds / 1_000_000_000)
    let isPositive = seconds > 0 || nanoseconds > 0
    linux_boot_timer_set(descriptor, isPositive ? seconds : 0, isPositive ? Int64(nanoseconds) : 1)
  }

  /// Takes back what it was set to.
  public func cancel() {
    linux_boot_timer_set(descriptor, 0, 0)
  }
}
