/// The count of wrong passwords, and the wait before the next attempt (R11).
///
/// After three wrong passwords the next try is refused for 30 seconds; each further run of three doubles that, to 15
/// minutes at most. ``countingAttempt(at:)`` is stored *before* a password is tried, so an interrupted attempt counts.
/// The right password resets everything.
///
/// The wait is measured on the boot clock. After a restart only the time since then counts, which is never more than
/// what has passed. The wall clock, which anybody can set, is ignored.
public struct Lockout: Sendable, Hashable {
  /// How many wrong passwords make a run.
  public static let attemptsInRun = 3
  /// The wait after the first run, in milliseconds.
  public static let firstWait: Int64 = 30_000
  /// The longest wait, in milliseconds.
  public static let longestWait: Int64 = 900_000

  /// How many wrong passwords have been tried since the last right one.
  public var failedAttempts: Int
  /// The length of the last wait, in milliseconds; 0 for none.
  public var wait: Int64
  /// When it began, in milliseconds since the machine had started.
  public var startedBoot: Int64
  /// When it began by the wall clock; for display only.
  public var startedWall: Int64
  /// Identifies the boot in which it began.
  public var bootIdentifier: String

  /// No failed attempts.
  public static let none = Lockout(
    failedAttempts: 0, wait: 0, startedBoot: 0, startedWall: 0, bootIdentifier: "")

  public init(
    failedAttempts: Int, wait: Int64, startedBoot: Int64, startedWall: Int64, bootIdentifier: String
  ) {
    self.failedAttempts = failedAttempts
    self.wait = wait
    self.startedBoot = startedBoot
    self.startedWall = startedWall
    self.bootIdentifier = bootIdentifier
  }

  /// Returns how long passwords are still refused, in milliseconds.
  public func remaining(at clock: some Clock) -> Int64 {
    let wait = min(max(wait, 0), Self.longestWait)
    let start = bootIdentifier == clock.bootIdentifier ? max(startedBoot, 0) : 0
    let elapsed = max(clock.boot - start, 0)
    return max(wait - elapsed, 0)
  }

  /// ``remaining(at:)`` in seconds, rounded up.
  public func remainingSeconds(at clock: some Clock) -> Int {
    Int((remaining(at: clock) + 999) / 1_000)
  }

  /// The number of attempts before the next wait.
  public var attemptsLeft: Int {
    failedAttempts % Self.attemptsInRun == 0 && failedAttempts > 0
      ? 0 : Self.attemptsInRun - max(failedAttempts, 0) % Self.attemptsInRun
  }

  /// Returns the state with a start in the future moved to now: such a wait would otherwise not end.
  public func clampedStart(at clock: some Clock) -> Lockout {
    guard bootIdentifier == clock.bootIdentifier, startedBoot > clock.boot else { return self }
    var clamped = self
    clamped.startedBoot = clock.boot
    return clamped
  }

  /// Returns the state after one more wrong password.
  public func countingAttempt(at clock: some Clock) -> Lockout {
    let attempts = min(max(failedAttempts, 0), 1_000_000) + 1
    guard attempts % Self.attemptsInRun == 0 else {
      return Lockout(failedAttempts: attempts, wait: 0, startedBoot: 0, startedWall: 0, bootIdentifier: "")
    }
    let doublings = min(attempts / Self.attemptsInRun - 1, 5)
    return Lockout(
      failedAttempts: attempts, wait: min(Self.firstWait << Int64(doublings), Self.longestWait),
      startedBoot: clock.boot, startedWall: clock.wall, bootIdentifier: clock.bootIdentifier)
  }
}
