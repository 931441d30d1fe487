import Foundation
import Testing
package import Vault
package import VaultInterface

/// A session in an actor, for tests that have it work while they look on.
package actor SessionOwner {
  package let session: VaultSession

  package init(_ vault: TestVault) {
    session = vault.session()
  }

  /// The owner of a further session, unlocked.
  package static func unlocked(_ vault: TestVault) async throws -> SessionOwner {
    let owner = SessionOwner(vault)
    try await owner.unlock(TestVault.password)
    return owner
  }

  package var isLocked: Bool { session.isLocked }

  package func unlock(_ password: String) async throws {
    try await session.unlock(password: password)
  }

  package func changePassword(to password: String) async throws {
    try await session.changePassword(
      from: TestVault.password, to: password, keyDerivation: nil, dropsDevices: false)
  }

  package func search(_ query: String) throws -> Page<SearchHit> {
    try session.search(query, limit: 10, cursor: nil)
  }

  /// Searches as a client does, in the background if that takes long.
  package func searchInterruptibly(_ query: String) async throws -> Page<SearchHit> {
    try await session.read { try $0.search(query, limit: 10, cursor: nil) }
  }

  /// Stores text cards.
  package func addNotes(_ texts: [String]) throws {
    for (number, text) in texts.enumerated() {
      _ = try session.createCard(
        CardDraft(title: "note \(number)", group: .personal, type: .text, fields: ["text": text]))
    }
  }

  package func cardCount() throws -> Int { try session.summary().cardCount }

  package func lock() {
    session.lock(.request)
  }
}

/// The error that a body comes to in the terms of the protocol; nil if there is none.
package func errorOf(_ body: () async throws -> Void) async -> VaultError? {
  do {
    try await body()
    return nil
  } catch {
    return VaultError(error)
  }
}

package struct NeverHappened: Error {
  package init() {}
}

/// Waits until a condition holds that other threads bring about, and then acts; throws when so many seconds have gone by.
///
/// It looks from a thread of its own: key derivations may keep all of Swift's threads busy.
package func waitUntil(
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
