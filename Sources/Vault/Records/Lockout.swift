import VaultStore
import Wire

/// The count of wrong passwords, and the wait before the next attempt (R11).
///
/// After three wrong passwords the next try is refused for 30 seconds; each further run of three doubles that, to 15
/// minutes at most. ``countingAttempt(at:)`` is stored *before* a password is tried, so an interrupted attempt counts.
/// The right password resets everything.
///
/// The wait is measured on the boot clock and on the wall clock, and lasts until both say that it is over: a process can be
/// given another boot clock or boot ID without any privilege, and the wall clock may be set. After a restart only the time
/// since then counts on the boot clock, which is never more than what has passed.
public struct Lockout: Sendable, Hashable {
  /// How many wrong passwords make a run.
  public static let attemptsInRun = 3
  /// The wait after the first run, in milliseconds.
  public static let firstWait: Int64 = 30_000
  /// The longest wait, in milliseconds.
  public static let maximumWait: Int64 = 900_000

  /// How many wrong passwords have been tried since the last right one.
  public var failedAttempts: Int
  /// The length of the last wait, in milliseconds; 0 for none.
  public var wait: Int64
  /// When it began, in milliseconds since the machine had started.
  public var startedBoot: Int64
  /// When it began, in milliseconds since 1970 UTC.
  public var startedWall: Int64
  /// Identifies the boot in which it began.
  public var bootIdentifier: String
  /// Whether the stored state had been removed before these attempts were counted.
  public var isMissing = false

  /// No failed attempts.
  public static let none = Lockout(
    failedAttempts: 0, wait: 0, startedBoot: 0, startedWall: 0, bootIdentifier: "")

  /// Returns how long passwords are still refused, in milliseconds.
  public func remaining(at clock: some Clock) -> Int64 {
    let wait = min(max(wait, 0), Self.maximumWait)
    let start = bootIdentifier == clock.bootIdentifier ? max(startedBoot, 0) : 0
    let elapsed = min(max(clock.boot - start, 0), elapsedWall(at: clock))
    return max(wait - elapsed, 0)
  }

  /// The time since the wait began by the wall clock, in milliseconds.
  private func elapsedWall(at clock: some Clock) -> Int64 {
    guard clock.wall > startedWall else { return 0 }
    let (elapsed, overflow) = clock.wall.subtractingReportingOverflow(startedWall)
    return overflow ? .max : elapsed
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
    var clamped = self
    if bootIdentifier == clock.bootIdentifier { clamped.startedBoot = min(startedBoot, clock.boot) }
    clamped.startedWall = min(startedWall, clock.wall)
    return clamped
  }

  /// Returns the state after one more wrong password.
  public func countingAttempt(at clock: some Clock) -> Lockout {
    var next = Lockout.none
    next.isMissing = isMissing
    next.failedAttempts = min(max(failedAttempts, 0), 1_000_000) + 1
    guard next.failedAttempts % Self.attemptsInRun == 0 else { return next }
    let doublings = min(next.failedAttempts / Self.attemptsInRun - 1, 5)
    next.wait = min(Self.firstWait << Int64(doublings), Self.maximumWait)
    (next.startedBoot, next.startedWall) = (clock.boot, clock.wall)
    next.bootIdentifier = clock.bootIdentifier
    return next
  }

  /// Returns these attempts, or others of the same vault if those forbid more; whether the row is missing stays.
  func atLeast(_ other: Lockout?, at clock: some Clock) -> Lockout {
    guard var other,
      (other.failedAttempts, other.remaining(at: clock)) > (failedAttempts, remaining(at: clock))
    else { return self }
    other.isMissing = isMissing
    return other
  }
}

/// The attempts with a password that could not be stored, because the vault's file could not be written. They count in this
/// process, and in those that replace it, until the program ends or the file can be written.
public struct UnstoredAttempts: Sendable, Hashable {
  /// The attempts in the file when these were counted. If they are others by now, another process could write.
  let stored: LockoutRow?
  /// The attempts that count.
  let current: LockoutRow
}

extension UnstoredAttempts {
  /// Both as texts, for the process that replaces this one.
  public var fields: [String] { (stored?.fields ?? []) + current.fields }

  /// Reads what ``fields`` gives; nil for anything else.
  public init?(fields: [String]) {
    guard fields.count == 5 || fields.count == 10, let current = LockoutRow(fields: fields.suffix(5)) else {
      return nil
    }
    self.init(stored: LockoutRow(fields: fields.dropLast(5)), current: current)
  }
}

extension LockoutRow {
  /// The row as five texts.
  var fields: [String] {
    [failedAttempts, waitMilliseconds, startedWall, startedBoot].map { String($0) } + [bootID]
  }

  /// Reads what ``fields`` gives; nil for anything else.
  init?(fields: ArraySlice<String>) {
    let numbers = fields.prefix(4).compactMap { Int64($0) }
    guard fields.count == 5, numbers.count == 4, let bootID = fields.last else { return nil }
    self.init(
      failedAttempts: numbers[0], waitMilliseconds: numbers[1], startedWall: numbers[2],
      startedBoot: numbers[3], bootID: bootID)
  }
}

/// The attempts with a password on this machine, which are counted outside of the vault's file before each try, so that the
/// right password does not change the file.
struct MachineAttempts {
  let states: StateDirectory
  let vault: Identifier

  /// The attempts; nil for none.
  var current: Lockout? {
    guard let bytes = states.read(.attempts, of: vault) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return LockoutRow(fields: fields.map(String.init)[...]).map { Lockout($0) }
  }

  /// - Returns: whether they were stored.
  func store(_ lockout: Lockout) -> Bool {
    states.write(Array(lockout.row.fields.joined(separator: "\n").utf8), .attempts, of: vault)
  }

  /// - Returns: whether none are stored any more.
  func forget() -> Bool { states.remove(.attempts, of: vault) }
}
