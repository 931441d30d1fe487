import SessionSupport
import VaultInterface

@testable import Vault

extension SessionOwner {
  /// Imports cards, and cancels the task, or locks the vault, at the n-th progress report.
  func importCards(_ cards: [CardImport], stoppedAtReport number: Int, byLocking locks: Bool) async throws {
    var count = 0
    _ = try await session.importCards(cards, keepsDuplicates: true, isDryRun: false) { _ in
      count += 1
      guard count == number else { return }
      if locks { session.lock(.sleep) } else { withUnsafeCurrentTask { $0?.cancel() } }
    }
  }

  func importCards(_ cards: [CardImport], attachments: [Int: [AttachmentImport]]) async throws {
    _ = try await session.importCards(
      cards, attachments: attachments, keepsDuplicates: true, isDryRun: false
    ) { _ in }
  }

  func verify(_ report: @Sendable (Int) async -> Void) async throws -> Verification {
    try await session.verify(report)
  }

  /// Identifies the vault as it was opened.
  var opened: ObjectIdentifier? { session.opened.map(ObjectIdentifier.init) }

  func repair() async throws {
    _ = try await session.repair(password: nil, copy: nil)
  }

  func backUp(to path: UserPath, _ report: @Sendable (Int) async -> Void) async throws -> Backup {
    try await session.backUp(to: path, keep: nil, overwrites: false, report)
  }

  func runLongWork<Value: Sendable>(
    _ report: @Sendable (Int) async -> Void,
    _ work: @escaping @Sendable (_ note: @Sendable (Int) throws -> Void) async throws -> Value
  ) async throws -> Value {
    try await session.runLongWork(on: session.unlocked(), report, work)
  }

  func merge(_ path: UserPath, _ report: @Sendable (Int) async -> Void) async throws -> Merge {
    try await session.merge(path, password: TestVault.password, isDryRun: false, report)
  }
}
