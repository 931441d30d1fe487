import VaultStore

/// How a task waits for other processes, without holding the thread.
///
/// A structure and not the closure itself: Swift 6.3 crashes with a task-local closure in an optimized build.
public struct Waiting: Sendable {
  /// How this task waits: as ``init(_:)`` was given, or else without being interrupted.
  @TaskLocal public static var current = Waiting { try await $0() }

  private let run: @Sendable (_ wait: () async throws -> Void) async throws -> Void

  /// - Parameter run: runs a wait, and may cancel it.
  public init(_ run: @escaping @Sendable (_ wait: () async throws -> Void) async throws -> Void) {
    self.run = run
  }

  /// Runs a wait, which the service cancels when the vault is to be locked.
  static func interruptibly(_ wait: () async throws -> Void) async throws {
    try await current.run(wait)
  }
}

extension VaultSession {
  /// Runs `body`, and runs it again every few milliseconds while another process writes to the vault, for up to
  /// `VaultFile.longestWait`. It must not have changed anything when it throws `StoreError.busy`.
  ///
  /// - Throws: what `body` throws, at last `StoreError.busy`; `CancellationError`.
  public func waitingForOthers<Value>(_ body: () async throws -> Value) async throws -> Value {
    let end = ContinuousClock.now + writeTimeout
    do { return try await body() } catch StoreError.busy where ContinuousClock.now < end {}
    var value: Value?
    try await Waiting.interruptibly {
      while value == nil {
        try await Task.sleep(for: .milliseconds(5))
        do { value = try await body() } catch StoreError.busy where ContinuousClock.now < end {}
      }
    }
    guard let value else { throw CancellationError() }
    return value
  }
}
