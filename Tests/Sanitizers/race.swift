import Glibc
import Synchronization

/// Four threads contend for a Mutex; the thread sanitizer must report nothing. With an argument, they also change an unguarded
/// variable, which it must report.
@main enum Race {
  private static let guarded = Mutex<[Int]>([])
  nonisolated(unsafe) private static var unguarded = 0

  static func main() { runThreads() }

  private nonisolated static func runThreads() {
    var threads = [pthread_t](repeating: 0, count: 4)
    for index in threads.indices { pthread_create(&threads[index], nil, { _ in Race.work() }, nil) }
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func work() -> UnsafeMutableRawPointer? {
    for number in 0..<20_000 {
      guarded.withLock { numbers in
        if numbers.count == 100 { numbers.removeAll() }
        numbers.append(number)
        // Yields now and then while holding the lock, so that other threads have to wait.
        if number % 64 == 0 { usleep(10) }
      }
    }
    if CommandLine.argc > 1 { unguarded += 1 }
    return nil
  }
}
