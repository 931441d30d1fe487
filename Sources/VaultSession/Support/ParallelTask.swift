import Glibc
import Synchronization

/// Work that another thread does while the calling thread does its own part, and then waits without returning to the event loop.
final class ParallelTask<Value: Sendable>: Sendable {
  private enum State {
    case scheduled, running, revoked
    case done(Result<Value, any Error>)
  }

  /// How often the waiting thread yields before it sleeps: waking up takes longer than most of these waits.
  private static var yieldLimit: Int { 200 }

  private let state = Mutex(State.scheduled)
  private let end = Semaphore()

  /// Schedules the work.
  init(_ work: @escaping @Sendable () throws -> Value) {
    Task.detached {
      guard self.begin() else { return }
      let result = Result { try work() }
      self.state.withLock { $0 = .done(result) }
      self.end.signal()
    }
  }

  private func begin() -> Bool {
    state.withLock { state in
      guard case .scheduled = state else { return false }
      state = .running
      return true
    }
  }

  /// Waits for the result; nil if the work has not started, in which case it never will.
  ///
  /// - Parameter meanwhile: is called every few milliseconds.
  /// - Throws: what the work throws.
  func join(_ meanwhile: () -> Void = {}) throws -> Value? {
    let isRevoked = state.withLock { state in
      guard case .scheduled = state else { return false }
      state = .revoked
      return true
    }
    if isRevoked { return nil }
    for _ in 0..<Self.yieldLimit {
      if let outcome { return try outcome.get() }
      sched_yield()
    }
    while !end.wait(milliseconds: 5) { meanwhile() }
    return try outcome?.get()
  }

  private var outcome: Result<Value, any Error>? {
    state.withLock { if case .done(let result) = $0 { result } else { nil } }
  }
}
