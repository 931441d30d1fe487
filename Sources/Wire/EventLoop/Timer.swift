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

/// A failed system call.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the call, such as `eventfd`.
  public let call: String
  /// The error number (errno(3)).
  public let number: Int32

  /// Creates the error from `errno`.
  public init(_ call: String) {
    self.call = call
    number = errno
  }

  /// The call and the text of strerror(3).
  public var description: String {
    unsafe "\(call): \(String(cString: strerror(number)))"
  }
}

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

extension EventLoop {
  /// Calls `body` at each SIGTERM, SIGINT and SIGHUP; ignores SIGPIPE and SIGXFSZ.
  ///
  /// - Throws: if signals cannot be received.
  package nonisolated func onSignal(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let descriptor = linux_signal_descriptor()
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    watch(descriptor, for: .reading) {
      while linux_next_signal(descriptor) != 0 { body() }
    }
  }
}
