import Glibc

/// The times that the vault's rules go by.
///
/// Two kinds, because neither does alone: a person reads wall time, which anybody can set; a wait goes by the time
/// since the machine started, which nobody can.
public protocol Clock: Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, as the machine's clock is set.
  var wall: Int64 { get }
  /// Milliseconds since the machine started, the time that it slept included.
  var boot: Int64 { get }
  /// What tells this start of the machine from every other.
  var bootIdentifier: String { get }
}

/// The machine's own clocks: CLOCK_REALTIME, CLOCK_BOOTTIME and `/proc/sys/kernel/random/boot_id`.
public struct SystemClock: Clock {
  /// The boot's id, which does not change while a process lives; empty where the system tells none.
  public let bootIdentifier: String

  /// Reads the boot's id.
  public init() {
    bootIdentifier = SystemIdentifier.read("/proc/sys/kernel/random/boot_id")
  }

  /// Milliseconds of CLOCK_REALTIME.
  public var wall: Int64 { Self.milliseconds(CLOCK_REALTIME) }

  /// Milliseconds of CLOCK_BOOTTIME.
  public var boot: Int64 { Self.milliseconds(CLOCK_BOOTTIME) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
