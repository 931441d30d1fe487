import Synchronization

/// The calls on the synchronised folder, which others may have to wait for.
struct FolderCalls: Sendable {
  let thread: StallableCalls
  /// Nil to wait as long as the folder takes.
  private let budget: TimeBudget?

  init(_ thread: StallableCalls, within budget: TimeBudget? = nil) {
    (self.thread, self.budget) = (thread, budget)
  }

  /// Runs a call and waits for it.
  ///
  /// - Throws: what the call throws; `StallableCalls.Stall`; `CancellationError`.
  func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) throws -> Value {
    guard let budget else { return try thread.run(within: nil, call) }
    let start = ContinuousClock.now
    defer { budget.spend(start.duration(to: .now)) }
    return try thread.run(within: budget.rest, call)
  }
}

/// How long one step of a synchronisation waits for the folder in all.
final class TimeBudget: Sendable {
  /// Shorter waits do not count: a disk that works must not make a long step begin anew.
  private static let shortest = Duration.milliseconds(100)

  private let limit: Duration
  private let waited = Mutex(Duration.zero)

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// How long it has waited.
  var spent: Duration { waited.withLock { $0 } }

  var rest: Duration { max(limit - spent, Self.shortest) }

  func spend(_ wait: Duration) {
    guard wait >= Self.shortest else { return }
    waited.withLock { $0 += wait }
  }
}
