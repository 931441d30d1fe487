public import EventLoop

/// Something that goes off once after a span of time, unless it is set anew or taken back.
public protocol Timer: Sendable {
  /// Sets it, in place of what it was set to.
  func set(after span: Duration)
  /// Takes back what it was set to.
  func cancel()
}

/// Makes a timer that calls an action on the loop's thread.
public typealias TimerFactory =
  @Sendable (_ loop: EventLoop, _ action: @escaping @Sendable () -> Void) throws -> any Timer

/// The machine's own timer, which counts the time that the machine sleeps.
public enum BootTimer {
  /// Makes a timer.
  ///
  /// - Throws: ``SystemError`` where there is no descriptor left.
  @Sendable public static func make(
    _ loop: EventLoop, _ action: @escaping @Sendable () -> Void
  ) throws -> any Timer {
    try LoopTimer(on: loop, action)
  }
}

extension LoopTimer: Timer {}
