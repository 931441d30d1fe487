import Foundation
import Testing

@testable import VaultSession

/// A vault's file that copies are made of, and what is in it.
struct Replica {
  let vault: TestVault

  init() throws {
    vault = try TestVault(inMemory: true)
  }

  /// A copy of the file as Syncthing or git would leave one. No session may have it open.
  func forked() throws -> Replica {
    let other = try Replica()
    try FileManager.default.copyItem(atPath: vault.path, toPath: other.vault.path)
    other.vault.clock.setWall(by: vault.clock.wall - other.vault.clock.wall)
    return other
  }

  @discardableResult func merge(_ other: Replica, isTrial: Bool = false) async throws -> Merge {
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    let merge = try await session.merge(
      UserPath(other.vault.path), password: TestVault.password, isTrial: isTrial
    ) { _ in }
    #expect(try session.summary().isIntact)
    return merge
  }

  /// Everything that a person has in it, ids and revisions apart.
  func contents() async throws -> [String] {
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    #expect(try session.summary().isIntact)
    #expect(try await session.verify({ _ in }).isIntact)
    let settings = try session.settings()
    let cards = try await session.allCards(limit: 50).map { card in
      let card = try session.card(card.id)
      return "\(card.title)|\(card.fields)|\(card.tags)|\(card.pinned)|\(card.modifiedAt.milliseconds)"
    }
    return cards.sorted() + ["\(settings.autoLockSeconds ?? 0)"]
  }

  func titles() async throws -> [String] {
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    return try await session.allCards(limit: 50).map(\.title).sorted()
  }

  func edit(_ body: (VaultSession) async throws -> Void) async throws {
    vault.clock.advance(seconds: 10)
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    try await body(session)
  }
}
