import Synchronization

/// Work that another thread does while the calling thread does its own part, and then waits without returning to the event loop.
final class ParallelTask<Value: Sendable>: Sendable {
  private enum State {
    case scheduled, running, revoked
  }

  private let state = Mutex(State.scheduled)
  private let ended = ThreadResult<Value>()

  /// Schedules the work.
  init(_ work: @escaping @Sendable () throws -> Value) {
    Task.detached {
      guard self.leaveSchedule(for: .running) else { return }
      self.ended.set(Result { try work() })
    }
  }

  /// - Returns: whether the work had neither begun nor been revoked.
  private func leaveSchedule(for next: State) -> Bool {
    state.withLock { state in
      guard case .scheduled = state else { return false }
      state = next
      return true
    }
  }

  /// The result; nil before the end.
  var result: Result<Value, any Error>? { ended.current }

  /// Waits for the result; nil if the work has not started, in which case it never will.
  ///
  /// - Parameter meanwhile: is called every few milliseconds.
  /// - Throws: what the work throws.
  func join(_ meanwhile: () -> Void = {}) throws -> Value? {
    if leaveSchedule(for: .revoked) { return nil }
    while true {
      if let result = ended.wait(milliseconds: 5) { return try result.get() }
      meanwhile()
    }
  }
}
