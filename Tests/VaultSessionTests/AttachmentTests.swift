import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Attachments")
  struct AttachmentTests {
    let vault: TestVault
    let session: VaultSession
    let card: Card

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      card = try session.note("Papers")
    }

    /// Bytes without meaning: what they are is the worker's to say, and a session takes its word.
    static func bytes(_ count: Int, seed: UInt8 = 7) throws -> PrivateBytes {
      let bytes = try #require(PrivateBytes(capacity: count))
      // The numbers repeat after a block.
      let block = (0..<2_048).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 3) ^ seed }
      while bytes.count < count { bytes.append(Array(block.prefix(count - bytes.count))) }
      return bytes
    }

    static func content(_ bytes: PrivateBytes) -> [UInt8] { bytes.prefix(.max) }

    @discardableResult private func attach(
      _ count: Int = 5_000, name: String = "身份证.jpg", watermark: Watermark? = nil, to card: Card? = nil,
      seed: UInt8 = 7
    ) throws -> VaultInterface.Attachment {
      let draft = AttachmentDraft(
        name: name, mediaType: .jpeg, width: 640, height: 480, watermark: watermark,
        content: try Self.bytes(count, seed: seed))
      return try session.addAttachment(draft, to: card?.id ?? self.card.id).attachment
    }

    private func contents() throws -> Int {
      Int(try RawFile(vault).value("SELECT count(*) FROM content")) ?? -1
    }

    @Test(
      "R5 what was attached is read back byte for byte, in another session too",
      arguments: [1, 15, 4_096, 10 << 20])
    func roundTrip(_ count: Int) async throws {
      let mark = Watermark(text: "仅供\nvisa", opacity: 5, angle: -180, size: 500, spacing: 2_000)
      let attachment = try attach(count, watermark: mark)
      let expected = Self.content(try Self.bytes(count))
      #expect(Self.content(try session.content(of: attachment.id)) == expected)
      let other = try await vault.unlock()
      #expect(try other.card(card.id).attachments == [attachment])
      #expect(try other.attachment(attachment.id).watermark == mark)
      #expect(Self.content(try other.content(of: attachment.id)) == expected)
      #expect(
        try await other.verify { _ in }
          == Verification(cards: 1, attachments: 1, damaged: [], integrity: .intact)
      )
    }

    @Test(
      "R5 at most 10 MiB and 64 attachments per card are accepted, and no name that a file cannot have"
    )
    func limits() throws {
      #expect(vaultError { try attach(10 << 20 | 1) } == .attachmentTooLarge(limit: 10 << 20))
      for (name, error) in [
        ("", .empty), (" \u{200B}", .empty), ("a/b", .invalidCharacter), ("..", .invalidCharacter),
        ("a\nb", .invalidCharacter), ("a\tb", .invalidCharacter), ("a\0", .invalidCharacter),
        (String(repeating: "字", count: 256), .tooLong),
      ] as [(String, VaultInterface.Attachment.NameError)] {
        #expect(vaultError { try attach(name: name) } == .attachmentNameInvalid(error), "\(name)")
      }
      #expect(vaultError { try attach(watermark: Watermark(text: " ")) } == .watermarkInvalid(.empty))
      for number in 0..<64 { try attach(10, name: "\(number)") }
      #expect(vaultError { try attach(10) } == .tooManyAttachments(limit: 64))
      #expect(
        vaultError { try session.checkRoomForAttachment(in: card.id) } == .tooManyAttachments(limit: 64))
      #expect(try session.card(card.id).attachments.map(\.name) == (0..<64).map(String.init))
    }

    @Test(
      "R1 an attachment is a change of its card; a card's attachments stay when it is updated and go when it goes"
    )
    func cards() async throws {
      let first = try attach()
      #expect(try session.card(card.id).revision == 2)
      #expect(vaultError { _ = try session.updateCard(card.id, revision: 1, CardChange(title: "x")) } != nil)
      _ = try session.updateCard(card.id, revision: 2, CardChange(title: "x", pinned: true))
      let second = try attach()
      #expect(try session.card(card.id).attachments == [first, second])
      #expect(try session.search("has:attachment", limit: 9, cursor: nil).total == 1)
      #expect(try session.search("身份证", limit: 9, cursor: nil).total == 0)

      try session.deleteAttachment(first.id)
      #expect(vaultError { _ = try session.content(of: first.id) } == .attachmentNotFound(first.id))
      #expect(try contents() == 1)
      session.keep(
        Rendition(mediaType: .jpeg, width: 1, height: 1, bytes: try Self.bytes(9)), .thumbnail(256),
        of: second)
      try session.deleteCard(card.id, revision: nil)
      #expect(try contents() == 0)
      #expect(try RawFile(vault).value("SELECT count(*) FROM rendition") == "0")
      #expect(try session.search("has:attachment", limit: 9, cursor: nil).total == 0)
      #expect(
        try await session.verify { _ in }
          == Verification(cards: 0, attachments: 0, damaged: [], integrity: .intact))
    }

    @Test("R14 another session is notified of each change, but not of a stored rendition")
    func twoSessions() async throws {
      let other = try await vault.unlock()
      _ = try other.refresh()
      let attachment = try attach()
      #expect(try other.refresh() == .cards(changed: [card.id], deleted: []))
      #expect(try other.attachment(attachment.id) == attachment)
      session.keep(
        Rendition(mediaType: .jpeg, width: 1, height: 1, bytes: try Self.bytes(9)), .watermarked,
        of: attachment)
      #expect(try other.refresh() == nil)
      #expect(try other.rendition(.watermarked, of: attachment)?.bytes.count == 9)
      try other.deleteAttachment(attachment.id)
      #expect(vaultError { _ = try session.content(of: attachment.id) } == .attachmentNotFound(attachment.id))
    }

    // MARK: Damage

    /// Damages the file with every session closed, and unlocks it.
    private func unlockAfter(_ damage: (RawFile) throws -> Void) async throws -> VaultSession {
      session.close()
      try damage(RawFile(vault))
      return try await vault.unlock()
    }

    @Test(
      "R14 a missing, duplicated, misplaced or resized content is detected at the next unlock")
    func missing() async throws {
      let statements = [
        "DELETE FROM content", "UPDATE content SET number = 7", "UPDATE content SET sealed = zeroblob(40)",
        "INSERT INTO content SELECT 7, zeroblob(16), sealed FROM content",
      ]
      for statement in statements {
        let vault = try TestVault()
        let session = try await vault.create()
        let draft = AttachmentDraft(
          name: "a", mediaType: .png, width: 1, height: 1, watermark: nil, content: try Self.bytes(100))
        let added = try session.addAttachment(draft, to: session.note("Papers").id)
        session.close()
        try RawFile(vault).run(statement)
        let other = try await vault.unlock()
        #expect(try !other.summary().isIntact, "\(statement)")
        #expect(try other.card(added.card.id).attachments == [added.attachment], "the card itself is whole")
        guard case .damaged = vaultError({ _ = try other.note("x") }) else {
          Testing.Issue.record("a damaged vault is written: \(statement)")
          continue
        }
      }
    }

    @Test(
      "R5 unlocking, listing and searching read no content; opening or verifying it detects a change"
    )
    func changed() async throws {
      let attachment = try attach(100_000)
      let other = try await unlockAfter {
        try $0.flip("sealed", of: "content", where: "true", byte: 50_000)
      }
      #expect(try other.summary().isIntact)
      #expect(try other.search("papers", limit: 9, cursor: nil).total == 1)
      #expect(try other.cards(CardFilter(), limit: 9, cursor: nil).items[0].attachments == [attachment])
      #expect(
        try await other.verify { _ in }
          == Verification(
            cards: 1, attachments: 1, damaged: [attachment.id], findings: [.records], integrity: .damaged))
      #expect(vaultError { _ = try other.content(of: attachment.id) } == .damaged(attachment.id))
    }

    @Test("R14 swapped contents of the same length do not open, nor does an earlier one")
    func swapped() async throws {
      let (one, two) = (try attach(seed: 1), try attach(seed: 2))
      let other = try await unlockAfter {
        try $0.run("CREATE TEMP TABLE t AS SELECT * FROM content")
        try $0.run("UPDATE content SET sealed = (SELECT sealed FROM t WHERE t.number != content.number)")
      }
      for attachment in [one, two] {
        #expect(vaultError { _ = try other.content(of: attachment.id) } == .damaged(attachment.id))
      }
    }

    // MARK: Renditions

    @Test(
      "R6 a stored rendition opens only for the watermark and size that it was made with"
    )
    func renditions() async throws {
      let attachment = try attach(watermark: Watermark(text: "one"))
      func keep(_ kind: Rendition.Kind, _ seed: UInt8) throws {
        session.keep(
          Rendition(mediaType: .png, width: 30, height: 20, bytes: try Self.bytes(300, seed: seed)), kind,
          of: attachment)
      }
      try keep(.watermarked, 1)
      try keep(.thumbnail(256), 2)
      try keep(.thumbnail(257), 3)
      let kept = try #require(try session.rendition(.thumbnail(256), of: attachment))
      #expect((kept.mediaType, kept.width, kept.height) == (.png, 30, 20))
      #expect(Self.content(kept.bytes) == Self.content(try Self.bytes(300, seed: 2)))
      #expect(try session.rendition(.thumbnail(257), of: attachment) == nil, "only usual sizes are kept")

      let other = try await unlockAfter { file in
        try file.run("CREATE TEMP TABLE t AS SELECT * FROM rendition")
        try file.run("UPDATE rendition SET sealed = (SELECT sealed FROM t WHERE t.size != rendition.size)")
      }
      #expect(try other.summary().isIntact, "what can be made again is no part of the vault")
      #expect(try other.rendition(.watermarked, of: attachment) == nil)
      #expect(try other.rendition(.thumbnail(256), of: attachment) == nil)

      let changed = try other.setWatermark(Watermark(text: "two"), of: attachment.id).attachment
      #expect(changed.revision == 2)
      #expect(try RawFile(vault).value("SELECT count(*) FROM rendition") == "0")
      other.keep(
        Rendition(mediaType: .png, width: 1, height: 1, bytes: try Self.bytes(9)), .watermarked,
        of: attachment)
      #expect(try other.rendition(.watermarked, of: changed) == nil, "made with the old watermark")
    }

    @Test("R10 nothing of an attachment is in the file in plaintext")
    func sealed() throws {
      try attach(name: "NAME4711.jpg", watermark: Watermark(text: "TEXT4711"))
      let disk = try vault.bytesOnDisk()
      for needle in [Data("NAME4711".utf8), Data("TEXT4711".utf8), Data(Self.content(try Self.bytes(64)))] {
        #expect(disk.range(of: needle) == nil)
      }
    }
  }
}
