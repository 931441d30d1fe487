import Glibc

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
