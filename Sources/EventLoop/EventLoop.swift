import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors and runs the jobs of the actors that live on it.
///
/// Everything that touches a conversation runs here, so nothing in it needs a lock and a small request crosses
/// no thread. Work that takes long goes elsewhere and comes back with `await`.
///
/// ```swift
/// let loop = try EventLoop()
/// let connection = Connection(loop: loop, …)
/// loop.run()
/// ```
///
/// Apart from ``enqueue(_:)`` and ``stop()`` every member belongs to the thread that calls ``run()``; that is what
/// makes the class safe to send.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// What to wait for on a descriptor.
  public enum Interest: Sendable {
    /// Something can be read, or the other end is closed.
    case reading
    /// Something can be written, or the other end is closed.
    case writing
    /// The other end is closed, whether or not something is left to be read.
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
  }

  private struct Watch {
    let interest: Interest
    let action: @Sendable () -> Void
  }

  private let shared = Mutex(Shared())
  private let wakeUp: Int32
  private var watches: [Int32: Watch] = [:]
  private var polled: [pollfd] = []
  private var beforeWaiting: [@Sendable () -> Void] = []
  private var jobsAtHand: [UnownedJob] = []

  /// A loop that is not running yet.
  ///
  /// - Throws: ``SystemError`` where there is no descriptor left.
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

  /// Calls an action whenever the descriptor is ready; one action a descriptor.
  public func watch(_ descriptor: Int32, for interest: Interest, _ action: @escaping @Sendable () -> Void) {
    watches[descriptor] = Watch(interest: interest, action: action)
    polled.removeAll { $0.fd == descriptor }
    polled.append(pollfd(fd: descriptor, events: interest.events, revents: 0))
  }

  /// Stops watching a descriptor.
  public func unwatch(_ descriptor: Int32) {
    guard watches.removeValue(forKey: descriptor) != nil else { return }
    polled.removeAll { $0.fd == descriptor }
  }

  /// Calls an action each time before the loop waits with nothing left to do.
  public func onIdle(_ action: @escaping @Sendable () -> Void) {
    beforeWaiting.append(action)
  }

  /// Calls the actions of what is ready, in the midst of a job that keeps the thread for long. The other jobs wait for its end, so
  /// that nothing is answered before its turn.
  public func lookUp() {
    dispatch(waiting: false)
  }

  /// Runs jobs and actions on the calling thread until ``stop()``.
  public func run() {
    shared.withLock { $0.thread = pthread_self() }
    while runJobs() {
      let (isIdle, isStopped) = shared.withLock { ($0.jobs.isEmpty, $0.isStopped) }
      if isStopped { return }
      if isIdle { for action in beforeWaiting { action() } }
      dispatch(waiting: isIdle && shared.withLock { $0.jobs.isEmpty && !$0.isStopped })
    }
  }

  /// Makes ``run()`` return once the jobs at hand are done.
  public func stop() {
    shared.withLock { $0.isStopped = true }
    wake()
  }

  /// Runs the jobs that wait, unless the loop is stopped.
  ///
  /// - Returns: whether the loop goes on.
  private func runJobs() -> Bool {
    let goesOn = shared.withLock { shared in
      swap(&shared.jobs, &jobsAtHand)
      return !shared.isStopped
    }
    guard goesOn else { return false }
    for job in jobsAtHand { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    jobsAtHand.removeAll(keepingCapacity: true)
    return true
  }

  private func dispatch(waiting: Bool) {
    let ready = unsafe poll(&polled, nfds_t(polled.count), waiting ? -1 : 0)
    guard ready > 0 else {
      // A limit on descriptors that was lowered below what is watched: try again, but not as fast as the machine can.
      if ready < 0, errno != EINTR { _ = poll(nil, 0, 100) }
      return
    }
    for entry in polled where entry.revents != 0 { watches[entry.fd]?.action() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = unsafe write(wakeUp, &one, 8)
  }

  // MARK: SerialExecutor

  /// Takes a job of an actor that lives on this loop; called from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isElsewhere = shared.withLock { shared in
      shared.jobs.append(job)
      guard let thread = shared.thread else { return true }
      return pthread_equal(thread, pthread_self()) == 0
    }
    if isElsewhere { wake() }
  }

  /// The loop as the runtime refers to it.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the caller runs on this loop's thread, so that ``Actor/assumeIsolated(_:file:line:)`` holds.
  public func isIsolatingCurrentContext() -> Bool? {
    shared.withLock { shared in
      guard let thread = shared.thread else { return false }
      return pthread_equal(thread, pthread_self()) != 0
    }
  }
}
