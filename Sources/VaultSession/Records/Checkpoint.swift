/// Calls a check at intervals during long work; an error thrown by the check ends the work.
struct Checkpoint: Sendable {
  /// The work between two checks, in units of about a nanosecond.
  private static let interval = 256 << 10
  /// The work that the session's own thread does at once: tens of milliseconds.
  static let longest = 32 << 20

  private let check: @Sendable (_ work: Int) throws -> Void
  private var work = 0
  private var next = interval

  /// - Parameter check: is given the work since the beginning; what it throws ends the work.
  init(_ check: @escaping @Sendable (_ work: Int) throws -> Void) {
    self.check = check
  }

  /// Notes work that was done, or is about to be.
  mutating func pass(_ amount: Int) throws {
    work += amount
    guard work >= next else { return }
    next = work + Self.interval
    try check(work)
  }

  /// Lets work go on to its end.
  static let none = Checkpoint { _ in }
  /// Ends work that takes long with ``TakesLong``.
  static let short = Checkpoint { work in guard work < longest else { throw TakesLong() } }
  /// Ends the work of a cancelled task.
  static let cancellable = Checkpoint { _ in try Task.checkCancellation() }

  /// The same for the thread that does the other half of a scan, which ends with this one's.
  func shared(in range: SharedRange) -> Checkpoint {
    Checkpoint { [check] work in
      guard !range.isAbandoned else { throw CancellationError() }
      try check(work)
    }
  }
}

/// The work takes too long for the session's thread.
struct TakesLong: Error {}
