import Foundation
import Testing

@testable import VaultSession

/// A session in an actor, for tests that have it work while they look on.
actor SessionOwner {
  private let session: VaultSession

  init(_ vault: TestVault) {
    session = vault.session()
  }

  /// The owner of a further session, unlocked.
  static func unlocked(_ vault: TestVault) async throws -> SessionOwner {
    let owner = SessionOwner(vault)
    try await owner.unlock(TestVault.password)
    return owner
  }

  var isLocked: Bool { session.isLocked }

  func unlock(_ password: String) async throws {
    try await session.unlock(password: password)
  }

  func changePassword(to password: String) async throws {
    try await session.changePassword(
      from: TestVault.password, to: password, keyDerivation: nil, dropsDevices: false)
  }

  func search(_ query: String) async throws -> Page<SearchHit> {
    try await session.search(query, limit: 10, cursor: nil)
  }

  /// Imports cards, and cancels the task at the first progress.
  func importUntilCancelled(_ cards: [CardImport]) async throws {
    _ = try await session.importCards(cards, keepsDuplicates: true, isDryRun: false) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
    }
  }

  /// Imports cards, and cancels the task, or locks the vault, when it looks up the n-th time.
  func importCards(_ cards: [CardImport], stoppedAtLook number: Int, byLocking locks: Bool) async throws {
    var count = 0
    _ = try await session.importCards(
      cards, keepsDuplicates: false, isDryRun: false,
      lookUp: {
        count += 1
        guard count == number else { return }
        if locks { session.lock(.sleep) } else { withUnsafeCurrentTask { $0?.cancel() } }
      }, { _ in })
  }

  func cardCount() throws -> Int { try session.summary().cardCount }

  func lock() {
    session.lock(.request)
  }

  func verify(_ report: @Sendable (Int) async -> Void) async throws -> Verification {
    try await session.verify(report)
  }

  func backUp(to path: UserPath, _ report: @Sendable (Int) async -> Void) async throws -> Backup {
    try await session.backUp(to: path, keep: nil, overwrites: false, report)
  }

  func working<Value: Sendable>(
    _ report: @Sendable (Int) async -> Void,
    _ work: @escaping @Sendable (_ tell: @Sendable (Int) throws -> Void) async throws -> Value
  ) async throws -> Value {
    try await session.working(on: session.unlocked(), report, work)
  }

  func merge(_ path: UserPath, _ report: @Sendable (Int) async -> Void) async throws -> Merge {
    try await session.merge(path, password: TestVault.password, isDryRun: false, report)
  }
}

/// The error that a body comes to in the terms of the protocol; nil where there is none.
func errorOf(_ body: () async throws -> Void) async -> VaultError? {
  do {
    try await body()
    return nil
  } catch {
    return VaultError(error)
  }
}

struct NeverHappened: Error {}

/// Waits until a condition holds that other threads bring about, and then acts; throws when so many seconds have gone by.
///
/// It looks from a thread of its own: key derivations may keep all of Swift's threads busy.
func waitUntil(
  within seconds: Int = 240, _ condition: @escaping @Sendable () throws -> Bool,
  then act: @escaping @Sendable () throws -> Void = {}
) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    Thread.detachNewThread {
      let deadline = ContinuousClock.now + .seconds(seconds)
      continuation.resume(
        with: Result {
          while try !condition() {
            guard ContinuousClock.now < deadline else { throw NeverHappened() }
            sched_yield()
          }
          try act()
        })
    }
  }
}
