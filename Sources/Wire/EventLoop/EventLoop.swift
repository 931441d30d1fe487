import CLinux
import Glibc
import Synchronization

/// An event loop on one thread: it waits for descriptors and is the executor of actors.
///
/// The actors need no lock, and a small request crosses no thread. Long work leaves the thread and returns with `await`.
///
/// ```swift
/// let loop = try EventLoop()
/// let connection = Connection(loop: loop, …)
/// loop.run()
/// ```
///
/// Except for ``enqueue(_:)`` and ``stop()``, members are used on the thread that calls ``run()`` only.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// The condition to wait for on a descriptor.
  public enum Interest: Sendable {
    /// It is readable, or the other end is closed.
    case reading
    /// It is writable, or the other end is closed.
    case writing
    /// The other end is closed, even if something can still be read.
    case hangingUp

    fileprivate var events: Int16 {
      switch self {
      case .reading: Int16(POLLIN)
      case .writing: Int16(POLLOUT)
      case .hangingUp: 0
      }
    }
  }

  private struct Shared {
    var jobs: [UnownedJob] = []
    var thread: pthread_t?
    var isStopped = false

    /// Whether the caller is on the thread that runs the loop.
    var isOnLoopThread: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// A socket is watched for reading and for writing at once.
  private struct Watch: Hashable {
    let descriptor: Int32
    let events: Int16
  }

  private let shared = Mutex(Shared())
  private let wakeUp: Int32
  private var actions: [Watch: @Sendable () -> Void] = [:]
  private var polled: [pollfd] = []
  private var beforeWaiting: [@Sendable () -> Void] = []
  private var postponed: [@Sendable () -> Void] = []
  /// The turns of the loop since the oldest of ``postponed`` was added.
  private var postponedTurns = 0
  private var runningJobs: [UnownedJob] = []
  private var idleActions: [@Sendable () -> Void] = []
  /// The turns of the loop since one of ``idleActions`` was called.
  private var busyTurns = 0
  /// Whether the last attempt to wait failed.
  private var isFailing = false
  /// Ends the process if a turn takes too long; nil if it may take any time.
  public var turnLimit: TurnLimit?

  /// - Throws: ``SystemError`` if there are no descriptors left.
  public init() throws(SystemError) {
    wakeUp = linux_eventfd()
    guard wakeUp >= 0 else { throw SystemError("eventfd") }
    watch(wakeUp, for: .reading) { [wakeUp] in
      var count: UInt64 = 0
      _ = unsafe read(wakeUp, &count, 8)
    }
  }

  deinit {
    close(wakeUp)
  }

  /// Calls `action` whenever the descriptor is ready. It replaces an earlier action for the same interest in it.
  public func watch(_ descriptor: Int32, for interest: Interest, _ action: @escaping @Sendable () -> Void) {
    let watch = Watch(descriptor: descriptor, events: interest.events)
    if actions.updateValue(action, forKey: watch) == nil {
      polled.append(pollfd(fd: descriptor, events: interest.events, revents: 0))
    }
  }

  /// Stops watching a descriptor.
  ///
  /// - Parameter interest: nil for every interest in it.
  public func unwatch(_ descriptor: Int32, for interest: Interest? = nil) {
    let events = interest.map { [$0.events] } ?? [Interest.reading, .writing, .hangingUp].map(\.events)
    for events in events
    where actions.removeValue(forKey: Watch(descriptor: descriptor, events: events)) != nil {
      polled.removeAll { $0.fd == descriptor && $0.events == events }
    }
  }

  /// Calls `action` each time before the loop waits.
  public func onIdle(_ action: @escaping @Sendable () -> Void) {
    beforeWaiting.append(action)
  }

  /// Calls `action` once: before the loop waits, or after ``maximumPostponedTurns`` turns if it is busy until then.
  public func postpone(_ action: @escaping @Sendable () -> Void) {
    postponed.append(action)
  }

  /// Calls `action` once: when the loop has nothing else to do, one such action a turn, or after ``maximumPostponedTurns`` turns.
  func whenIdle(_ action: @escaping @Sendable () -> Void) {
    idleActions.append(action)
  }

  private func runWhenIdle() {
    busyTurns = 0
    guard !idleActions.isEmpty else { return }
    idleActions.removeFirst()()
  }

  /// The maximum number of turns that ``postpone(_:)`` waits, so that one busy client does not delay the responses to others.
  private static let maximumPostponedTurns = 16

  /// Runs jobs and actions on the calling thread until ``stop()``.
  public func run() {
    shared.withLock { $0.thread = pthread_self() }
    while runJobs() {
      let (isIdle, isStopped) = shared.withLock { ($0.jobs.isEmpty, $0.isStopped) }
      if isStopped { return }
      runPostponed(isIdle: isIdle)
      if isIdle { for action in beforeWaiting { action() } }
      let isQuiet = isIdle && postponed.isEmpty && idleActions.isEmpty
      dispatch(waiting: isQuiet && shared.withLock { $0.jobs.isEmpty && !$0.isStopped })
    }
  }

  private func runPostponed(isIdle: Bool) {
    guard !postponed.isEmpty else { return }
    postponedTurns += 1
    guard isIdle || postponedTurns > Self.maximumPostponedTurns else { return }
    postponedTurns = 0
    var actions: [@Sendable () -> Void] = []
    swap(&actions, &postponed)
    for action in actions { action() }
    actions.removeAll(keepingCapacity: true)
    if postponed.isEmpty { swap(&actions, &postponed) }
  }

  /// Makes ``run()`` return after the current jobs.
  public func stop() {
    shared.withLock { $0.isStopped = true }
    wake()
  }

  /// Runs the queued jobs, unless the loop is stopped.
  ///
  /// - Returns: whether the loop continues.
  private func runJobs() -> Bool {
    let isRunning = shared.withLock { shared in
      swap(&shared.jobs, &runningJobs)
      return !shared.isStopped
    }
    guard isRunning else { return false }
    for job in runningJobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    runningJobs.removeAll(keepingCapacity: true)
    return true
  }

  private func dispatch(waiting: Bool) {
    if waiting, !isFailing { turnLimit?.stop() }
    let ready = unsafe poll(&polled, nfds_t(polled.count), waiting && !isFailing ? -1 : 0)
    let hasFailed = ready < 0 && errno != EINTR
    // A loop that cannot wait cannot be asked for a lock: that is the same as a turn without an end.
    if !hasFailed || !isFailing { turnLimit?.restart() }
    isFailing = hasFailed
    guard ready > 0 else {
      // Such as a limit on descriptors that was lowered below those in use: try again, but not in a busy loop.
      if hasFailed { _ = poll(nil, 0, 100) }
      if ready == 0 { runWhenIdle() }
      return
    }
    busyTurns += 1
    if busyTurns > Self.maximumPostponedTurns { runWhenIdle() }
    for entry in polled where entry.revents != 0 {
      actions[Watch(descriptor: entry.fd, events: entry.events)]?()
    }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = unsafe write(wakeUp, &one, 8)
  }

  // MARK: SerialExecutor

  /// Queues a job of an actor on this loop. Called from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    shared.withLock { shared in
      shared.jobs.append(job)
      // With the lock: once the loop can run the job, its end may free the loop.
      if !shared.isOnLoopThread { wake() }
    }
  }

  /// The reference that the runtime uses.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the caller is on the loop's thread, so that ``Actor/assumeIsolated(_:file:line:)`` holds.
  public func isIsolatingCurrentContext() -> Bool? {
    shared.withLock { $0.isOnLoopThread }
  }
}
