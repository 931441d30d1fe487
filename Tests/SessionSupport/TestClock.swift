import Synchronization
import Vault

/// A clock that goes only when a test says so.
package final class TestClock: Clock {
  private struct Times {
    var wall: Int64 = 1_795_000_000_000
    var boot: Int64 = 5_000_000
    var bootIdentifier = "first-boot"
  }

  private let times = Mutex(Times())

  package init() {}

  package var wall: Int64 { times.withLock(\.wall) }
  package var boot: Int64 { times.withLock(\.boot) }
  package var bootIdentifier: String { times.withLock(\.bootIdentifier) }

  /// Lets time pass, as it does for both clocks.
  package func advance(seconds: Int64) {
    times.withLock {
      $0.wall += seconds * 1_000
      $0.boot += seconds * 1_000
    }
  }

  /// Sets the wall clock, as anybody can.
  package func setWall(by milliseconds: Int64) {
    times.withLock { $0.wall += milliseconds }
  }

  /// Sets the boot clock, as a time namespace does for its processes.
  package func setBoot(by milliseconds: Int64) {
    times.withLock { $0.boot += milliseconds }
  }

  /// Starts the machine anew: the boot clock stands at a few milliseconds.
  package func restart(boot: Int64 = 0) {
    times.withLock {
      $0.boot = boot
      $0.bootIdentifier += "-and-another"
    }
  }
}
