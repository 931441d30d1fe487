import SessionSupport
import Synchronization
import Vault

/// A clock that calls an action when the wall time is next read, on the thread that reads it.
final class ActingClock: Clock {
  private let clock: TestClock
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ clock: TestClock) {
    self.clock = clock
  }

  func actOnce(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  var wall: Int64 {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
    return clock.wall
  }
  var boot: Int64 { clock.boot }
  var bootIdentifier: String { clock.bootIdentifier }
}
