import Glibc
import VaultCrypto
import VaultStore

/// The clocks that the vault uses.
///
/// Users read wall time, which an administrator can set; waits are measured by it and by the time since the machine started,
/// which a time namespace can change for its processes.
public protocol Clock: Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, as the machine's clock is set.
  var wall: Int64 { get }
  /// Milliseconds since the machine started, the time that it slept included.
  var boot: Int64 { get }
  /// Identifies this boot of the machine.
  var bootIdentifier: String { get }
}

/// The machine's own clocks: CLOCK_REALTIME, CLOCK_BOOTTIME and `/proc/sys/kernel/random/boot_id`.
public struct SystemClock: Clock {
  /// The boot ID; empty if the system has none.
  public let bootIdentifier: String

  /// Reads the boot ID.
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

/// An identifier that the system keeps in a file, such as the machine ID.
public enum SystemIdentifier {
  /// The first word of a file, of which 64 bytes are read; empty if there is none.
  public static func read(_ path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self)
  }
}

/// The versions of the libraries in use.
public enum Libraries {
  /// The version of SQLite that is running.
  public static var sqlite: String { SQLiteLibrary.version }
  /// The version of libgcrypt that is running; nil if it does not start.
  public static var libgcrypt: String? { try? CryptoLibrary.start().version }
}
