import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface

@testable import Vault

/// A vault's file that copies are made of, and what is in it.
struct Replica {
  let vault: TestVault

  /// How many random histories of copies a test tries; `QUICKVAULT_MERGES` for another number.
  static func histories(usually count: UInt64) -> UInt64 {
    UInt64(ProcessInfo.processInfo.environment["QUICKVAULT_MERGES"] ?? "") ?? count
  }

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

  @discardableResult func merge(_ other: Replica, isDryRun: Bool = false) async throws -> Merge {
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    let merge = try await session.merge(
      UserPath(other.vault.path), password: TestVault.password, isDryRun: isDryRun
    ) { _ in }
    #expect(try session.summary().isIntact)
    return merge
  }

  /// Everything that a person has in it, ids and revisions apart.
  func contents() async throws -> [String] {
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    #expect(try session.summary().isIntact)
    #expect(try await session.verify({ _ in }).integrity == .intact)
    let settings = try session.settings()
    let cards = try session.allCards(limit: 50).map { card in
      let card = try session.card(card.id)
      let attachments = try card.attachments.map { attachment in
        let content = try session.content(of: attachment.id)
        let mark = attachment.watermark?.text ?? ""
        return "\(attachment.name) \(mark) \(content.prefix(content.count))"
      }
      return "\(card.title)|\(card.fields)|\(card.tags)|\(card.pinned)|\(card.modifiedAt.milliseconds)|"
        + attachments.sorted().joined(separator: "|")
    }
    return cards.sorted() + ["\(settings.seconds(.autoLockSeconds) ?? 0)"]
  }

  /// Attaches a few bytes under a name.
  static func attach(_ name: String, to card: Card, _ session: VaultSession) throws {
    let content = try #require(PrivateBytes(capacity: 100))
    content.append(Array((name + " content").utf8.prefix(100)))
    let draft = AttachmentDraft(
      name: name, mediaType: .png, width: 1, height: 1, watermark: nil, content: content)
    _ = try session.addAttachment(draft, to: card.id)
  }

  /// Adds an attachment, or takes one away, or changes its watermark (R5, R6).
  static func changeAttachments(
    of card: Card, _ session: VaultSession, _ random: inout SeededGenerator
  ) throws {
    let attachment = card.attachments.randomElement(using: &random)
    switch (Int.random(in: 0..<5, using: &random), attachment) {
    case (0, let attachment?): try session.deleteAttachment(attachment.id)
    case (1, let attachment?): _ = try session.setWatermark(nil, of: attachment.id)
    case (2...3, let attachment?):
      let text = "mark \(Int.random(in: 0..<3, using: &random))"
      _ = try session.setWatermark(Watermark(text: text), of: attachment.id)
    default:
      guard card.attachments.count < 4 else { return }
      try attach("\(Int.random(in: 0..<9, using: &random)).png", to: card, session)
    }
  }

  func titles() async throws -> [String] {
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    return try session.allCards(limit: 50).map(\.title).sorted()
  }

  @discardableResult func edit<Value>(_ body: (VaultSession) async throws -> Value) async throws -> Value {
    vault.clock.advance(seconds: 10)
    let session = try await vault.unlock()
    defer { session.lock(.request) }
    return try await body(session)
  }
}
