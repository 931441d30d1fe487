/// Calls a check at intervals during long work; an error thrown by the check ends the work.
struct CancellationPoint: Sendable {
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
  static let none = CancellationPoint { _ in }
  /// Ends work that takes long with ``WorkLimitExceeded``.
  static let short = CancellationPoint { work in guard work < longest else { throw WorkLimitExceeded() } }
  /// Ends the work of a cancelled task.
  static let cancellable = CancellationPoint { _ in try Task.checkCancellation() }

  /// The same for the thread that does the other half of a scan, which ends with this one's.
  func shared(in range: SharedRange) -> CancellationPoint {
    CancellationPoint { [check] work in
      guard !range.isAbandoned else { throw CancellationError() }
      try check(work)
    }
  }
}

/// The work takes too long for the session's thread.
struct WorkLimitExceeded: Error {}
