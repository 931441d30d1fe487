import CLinux
import Glibc
import Synchronization

/// What work on one thread results in, for another thread that waits for it without returning to the event loop.
final class ThreadResult<Value: Sendable>: Sendable {
  /// How often the waiting thread yields before it sleeps: waking up takes longer than most of these waits.
  private static var yieldLimit: Int { 200 }

  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let end = Semaphore()

  /// Sets the result, once.
  func set(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    end.signal()
  }

  /// The result; nil if the work goes on.
  var current: Result<Value, any Error>? { result.withLock { $0 } }

  /// Waits for the result for a few milliseconds, less than a second.
  ///
  /// - Returns: nil if the work goes on.
  func wait(milliseconds: Int) -> Result<Value, any Error>? {
    for _ in 0..<Self.yieldLimit {
      if let current { return current }
      sched_yield()
    }
    _ = end.wait(milliseconds: milliseconds)
    return current
  }
}

/// A semaphore between threads (sem_overview(7)).
@safe
final class Semaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  /// Makes one that nobody has signalled.
  init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe semaphore.initialize(to: sem_t())
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func signal() {
    unsafe sem_post(semaphore)
  }

  /// Waits for a few milliseconds, less than a second.
  ///
  /// - Returns: whether it was signalled.
  func wait(milliseconds: Int) -> Bool {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    time.tv_nsec += milliseconds * 1_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_nsec -= 1_000_000_000
      time.tv_sec += 1
    }
    return unsafe sem_timedwait(semaphore, &time) == 0
  }
}

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

/// How work in the background ends when its task is cancelled.
public enum CancellationPolicy: Sendable {
  /// The task does not wait for the work any more, and drops its result: key derivation takes a second, whatever happens.
  case abandon
  /// The work is cancelled too, and the task waits for it: its result says what was done.
  case wait
}

/// Runs work on another thread, unless the task is cancelled already.
///
/// - Throws: what the work throws, or `CancellationError`.
public func runInBackground<Value: Sendable>(
  whenCancelled policy: CancellationPolicy = .abandon, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try Task.checkCancellation()
  return try await BackgroundTask(work).value(whenCancelled: policy)
}

/// Work on another thread, while the event loop runs. That thread's stack is overwritten afterwards.
struct BackgroundTask<Value: Sendable>: Sendable {
  private let task: Task<Value, any Error>

  /// Starts the work.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    task = Task.detached {
      defer { linux_overwrite_stack() }
      return try await work()
    }
  }

  func cancel() {
    task.cancel()
  }

  /// Waits for the result.
  ///
  /// - Throws: what the work throws, or `CancellationError`.
  func value(whenCancelled policy: CancellationPolicy) async throws -> Value {
    switch policy {
    case .wait:
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        cancel()
      }
    case .abandon:
      // Unlike a task's value, a stream ends when the task that waits for it is cancelled.
      let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
      Task.detached { continuation.yield(await task.result) }
      for await result in results { return try result.get() }
      throw CancellationError()
    }
  }
}

/// How a task waits for other processes, without holding the thread.
///
/// A structure and not the closure itself: Swift 6.3 crashes with a task-local closure in an optimized build.
public struct Waiting: Sendable {
  /// How this task waits: as ``init(_:)`` was given, or else without being interrupted.
  @TaskLocal public static var current = Waiting { try await $0() }

  private let run: @Sendable (_ wait: () async throws -> Void) async throws -> Void

  /// - Parameter run: runs a wait, and may cancel it.
  public init(_ run: @escaping @Sendable (_ wait: () async throws -> Void) async throws -> Void) {
    self.run = run
  }

  /// Runs a wait, which the service cancels when the vault is to be locked.
  func interruptibly(_ wait: () async throws -> Void) async throws {
    try await run(wait)
  }
}
