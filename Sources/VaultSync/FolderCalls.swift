import Synchronization
import VaultSession

/// The calls on the synchronised folder, which others may have to wait for.
struct FolderCalls: Sendable {
  let calls: StallableCalls
  /// Nil to wait as long as the folder takes.
  private let patience: Patience?

  init(_ calls: StallableCalls, _ patience: Patience? = nil) {
    (self.calls, self.patience) = (calls, patience)
  }

  /// Returns the same calls, for which nobody waits any longer than this.
  func waiting(with patience: Patience) -> FolderCalls { FolderCalls(calls, patience) }

  /// Runs a call and waits for it.
  ///
  /// - Throws: what the call throws; `StallableCalls.Stall`; `CancellationError`.
  func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) throws -> Value {
    guard let patience else { return try calls.run(within: nil, call) }
    let start = ContinuousClock.now
    defer { patience.use(start.duration(to: .now)) }
    return try calls.run(within: patience.rest, call)
  }
}

/// How long one step of a synchronisation waits for the folder in all.
final class Patience: Sendable {
  /// Shorter waits do not count: a disk that works must not make a long step begin anew.
  private static let shortest = Duration.milliseconds(100)

  private let limit: Duration
  private let waited = Mutex(Duration.zero)

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// How long it has waited.
  var used: Duration { waited.withLock { $0 } }

  var rest: Duration { max(limit - used, Self.shortest) }

  func use(_ wait: Duration) {
    guard wait >= Self.shortest else { return }
    waited.withLock { $0 += wait }
  }
}
