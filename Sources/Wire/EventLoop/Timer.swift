import CLinux
import Glibc

extension EventLoop {
  /// A timer that fires once after each setting.
  public protocol Timer: Sendable {
    /// Starts the timer, or restarts it.
    ///
    /// - Parameter span: the time to wait; the timer fires at once if it is not positive.
    func set(after span: Duration)
    /// Stops the timer.
    func cancel()
  }

  /// Makes a timer that calls `action` on the loop's thread.
  public typealias TimerFactory =
    @Sendable (_ loop: EventLoop, _ action: @escaping @Sendable () -> Void) throws -> any Timer
}

/// A timer that calls an action on a loop's thread. Time for which the machine is suspended counts.
///
/// It is used and released on that thread. Releasing it cancels it.
public final class LoopTimer: EventLoop.Timer, @unchecked Sendable {
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

  public func set(after span: Duration) {
    let (seconds, attoseconds) = span.components
    let nanoseconds = Int(attoseconds / 1_000_000_000)
    let isPositive = seconds > 0 || nanoseconds > 0
    linux_boot_timer_set(descriptor, isPositive ? seconds : 0, isPositive ? Int64(nanoseconds) : 1)
  }

  public func cancel() {
    linux_boot_timer_set(descriptor, 0, 0)
  }
}
