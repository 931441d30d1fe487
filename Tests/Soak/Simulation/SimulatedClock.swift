import Synchronization
import Vault

/// The clock of all machines, which goes from week to week.
final class SimulatedClock: Clock {
  /// Ten years before 2026-11-14, so that a program with the real clock can go on with the vaults.
  private static let start: Int64 = 1_479_100_000_000

  private let passed: Mutex<Int64>

  /// - Parameter passed: the time since the beginning, in milliseconds.
  init(passed: Int64) { self.passed = Mutex(passed) }

  var wall: Int64 { Self.start + boot }
  var boot: Int64 { passed.withLock { $0 } }
  var bootIdentifier: String { "simulated" }

  func advance(milliseconds: Int64) { passed.withLock { $0 += milliseconds } }
}
