import Glibc
import Synchronization

/// Work on another thread, of which the calling thread does a share meanwhile, so that it hardly waits in the end.
@safe
final class Assistance<Value: Sendable>: @unchecked Sendable {
  private enum State {
    case asked, begun, declined
    case done(Result<Value, any Error>)
  }

  /// How often the waiting thread yields before it sleeps: waking up takes
  /// longer than most of these waits.
  private static var turns: Int { 200 }

  private let state = Mutex(State.asked)
  private let end: UnsafeMutablePointer<sem_t>

  /// Schedules the work.
  init(_ work: @escaping @Sendable () throws -> Value) {
    unsafe end = .allocate(capacity: 1)
    unsafe end.initialize(to: sem_t())
    unsafe sem_init(end, 0, 0)
    Task.detached {
      guard self.begin() else { return }
      let result = Result { try work() }
      self.state.withLock { $0 = .done(result) }
      unsafe sem_post(self.end)
    }
  }

  deinit {
    unsafe sem_destroy(end)
    unsafe end.deallocate()
  }

  private func begin() -> Bool {
    state.withLock { state in
      guard case .asked = state else { return false }
      state = .begun
      return true
    }
  }

  /// Waits for the result; nil where the work had not started, and then never will.
  ///
  /// - Throws: what the work throws.
  func result() throws -> Value? {
    let isDeclined = state.withLock { state in
      guard case .asked = state else { return false }
      state = .declined
      return true
    }
    if isDeclined { return nil }
    for _ in 0..<Self.turns {
      if let outcome { return try outcome.get() }
      sched_yield()
    }
    while unsafe sem_wait(end) != 0, errno == EINTR {}
    return try outcome?.get()
  }

  private var outcome: Result<Value, any Error>? {
    state.withLock { if case .done(let result) = $0 { result } else { nil } }
  }
}
