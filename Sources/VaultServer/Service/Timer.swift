public import EventLoop

/// A timer that fires once, unless it is set anew or cancelled.
public protocol Timer: Sendable {
  /// Sets the timer, replacing an earlier setting.
  func set(after span: Duration)
  /// Cancels the setting.
  func cancel()
}

/// Makes a timer that calls `action` on the loop's thread.
public typealias TimerFactory =
  @Sendable (_ loop: EventLoop, _ action: @escaping @Sendable () -> Void) throws -> any Timer

/// A timer of the system that counts the time during which the machine sleeps.
public enum BootTimer {
  /// Makes a timer.
  ///
  /// - Throws: ``SystemError`` if there is no descriptor left.
  @Sendable public static func make(
    _ loop: EventLoop, _ action: @escaping @Sendable () -> Void
  ) throws -> any Timer {
    try LoopTimer(on: loop, action)
  }
}

extension LoopTimer: Timer {}
