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
  func interruptibly(_ wait: () async throws -> Void) async throws {
    try await run(wait)
  }
}
