import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension SessionTests {
  /// Every byte, every row and every length of a small vault's file.
  @Suite("Damage everywhere")
  struct DamageSweepTests {
    /// How many bytes are passed over between two that are changed; `QUICKVAULT_SWEEP=1` changes every one.
    private static let step = ProcessInfo.processInfo.environment["QUICKVAULT_SWEEP"].flatMap(Int.init) ?? 7

    /// What a flipped byte of the file's first page can make of it that is no longer to be told from something else.
    private static func isToldApart(_ error: VaultError?) -> Bool {
      switch error {
      case nil: true
      case .notAVault, .newerVersion, .wrongPassword, .unsupportedParameters: false
      default: true
      }
    }

    @Test(
      "R10 every flipped byte is detected or unused, no wrong value is returned, and other pages are read")
    func everyByte() async throws {
      let small = try await SmallVault.make()
      let map = try PageMap(small.image, RawFile(small.vault), pageSize: 512)
      let places = try Places(small)
      #expect(try await small.look().readable.count == small.cards.count)
      #expect(try await !small.look().isNoticed)
      var unseen: [PageMap.Harmless: Int] = [:]
      var found = 0
      var random = SeededGenerator(seed: 20_261_121)
      let first = Int.random(in: 0..<Self.step, using: &random)
      // The header always, of which few bytes are alike.
      let offsets = Set(0..<100).union(stride(from: first, to: small.image.count, by: Self.step))
      for offset in offsets.sorted() {
        var bytes = small.image
        bytes[offset] ^= [0x01, 0x80, 0xff, 0x10][Int.random(in: 0..<4, using: &random)]
        try small.put(bytes)
        let finding = try await small.look()
        let page = offset / 512 + 1
        let what =
          "byte \(offset), \(small.image[offset]) to \(bytes[offset]), of \(map.owners[page] ?? "nothing")"
        if finding.isNoticed {
          found += 1
        } else if let reason = map.reason(offset, of: bytes) {
          unseen[reason, default: 0] += 1
        } else {
          Testing.Issue.record("\(what) goes unseen")
        }
        // Where the key can still be had, what lies on other pages is read.
        // Where no size of a page is told, it is the usual one, and that is not the one here.
        let isVital = ["vault", "slot"].contains(map.owners[page]) || (16..<18).contains(offset)
        if !isVital, Self.isToldApart(finding.error) {
          let others = Set(places.pages.filter { !$0.value.contains(page) }.keys)
          #expect(finding.error == nil && finding.readable.isSuperset(of: others), "\(what): \(finding)")
        }
      }
      print(
        "damage: \(found) flipped bytes found, unseen:", unseen.map { "\($1) in \($0.rawValue)" }.sorted())
      #expect(found > 0)
    }

    @Test("R10 a file that is truncated anywhere is detected, and complete cards are read")
    func truncated() async throws {
      let small = try await SmallVault.make()
      let places = try Places(small)
      let map = try PageMap(small.image, RawFile(small.vault), pageSize: 512)
      let vital = try places.last(of: ["vault", "slot", "sqlite_schema"])
      var readable = 0
      for page in 0..<small.image.count / 512 {
        for more in [0, 1, 300] {
          try small.put(Array(small.image.prefix(page * 512 + more)))
          let finding = try await small.look()
          let isOfUse = (page * 512..<small.image.count).contains { map.reason($0) != .freePage }
          #expect(finding.isNoticed || !isOfUse, "cut off at page \(page) and \(more)")
          guard page >= vital else { continue }
          let left = Set(places.pages.filter { ($0.value.max() ?? 0) <= page }.keys)
          #expect(finding.readable.isSuperset(of: left), "cut off at page \(page) and \(more): \(finding)")
          readable += left.count
        }
      }
      #expect(readable > 0)
    }

    @Test("R10 a page that is zeroed or copied from another is detected, and cards on other pages are read")
    func pages() async throws {
      let small = try await SmallVault.make()
      let map = try PageMap(small.image, RawFile(small.vault), pageSize: 512)
      let places = try Places(small)
      let count = small.image.count / 512
      for page in 2...count {
        for other in [0, page % count + 1, 2] where other != page {
          var bytes = small.image
          let range = (page - 1) * 512..<page * 512
          let new =
            other == 0
            ? [UInt8](repeating: 0, count: 512) : Array(small.image[(other - 1) * 512..<other * 512])
          bytes.replaceSubrange(range, with: new)
          // The pages of two empty tables are the same.
          guard bytes != small.image else { continue }
          try small.put(bytes)
          let finding = try await small.look()
          let owner = map.owners[page]
          let isPlain = range.allSatisfy { map.reason($0) != nil }
          #expect(finding.isNoticed || isPlain, "page \(page) of \(owner ?? "nothing") is \(other)")
          guard !["vault", "slot"].contains(owner) else { continue }
          let others = Set(places.pages.filter { !$0.value.contains(page) }.keys)
          #expect(
            finding.readable.isSuperset(of: others), "page \(page) of \(owner ?? "nothing") is \(other)")
        }
      }
    }

    @Test("R10 every row of a sealed table that is deleted, duplicated, swapped or rolled back is detected")
    func rows() async throws {
      let small = try await SmallVault.make()
      let statements = try Self.rowDamage(small)
      #expect(statements.count > 20)
      for statement in statements {
        try small.put(small.image)
        let raw = try RawFile(small.vault)
        try raw.run(statement)
        let finding = try await small.look()
        #expect(finding.isNoticed, "\(statement)")
      }
    }

    /// The tables of sealed rows with a number, and their other columns.
    private static let sealedTables = [
      ("card", ["id", "revision", "sealed"]), ("history", ["revision", "id", "sealed"]),
      ("content", ["id", "sealed"]),
    ]

    private static func rowDamage(_ small: SmallVault) throws -> [String] {
      let raw = try RawFile(small.vault)
      var statements: [String] = []
      for table in ["vault", "slot", "card", "document", "history", "content", "migration"] {
        let rows =
          table == "document"
          ? ["name = 'settings'"]
          : try raw.rows("SELECT rowid FROM \(table)").map {
            "rowid = \($0[0])"
          }
        // The last step made no table and no column: a vault without its name is one that has yet to take it.
        for row in table == "migration" ? rows.dropLast() : rows[...] {
          statements.append("DELETE FROM \(table) WHERE \(row)")
        }
      }
      for (table, columns) in sealedTables {
        let numbers = try raw.rows("SELECT number FROM \(table)").map { $0[0] }
        #expect(numbers.count > 1)
        for number in numbers {
          for id in ["id", "randomblob(16)"] {
            let copied = columns.map { $0 == "id" ? id : $0 }.joined(separator: ", ")
            statements.append(
              "INSERT INTO \(table) (number, \(columns.joined(separator: ", "))) SELECT 17, \(copied) FROM \(table) WHERE number = \(number)"
            )
          }
          for other in numbers where other != number {
            for column in columns where column != "revision" || number == numbers[0] {
              let swap = """
                CREATE TEMP TABLE old AS SELECT * FROM \(table);
                UPDATE \(table) SET \(column) = (SELECT \(column) FROM old WHERE old.number = \(other)) WHERE number = \(number);
                UPDATE \(table) SET \(column) = (SELECT \(column) FROM old WHERE old.number = \(number)) WHERE number = \(other)
                """
              let differs = try raw.value(
                "SELECT a.\(column) <> b.\(column) FROM \(table) a, \(table) b WHERE a.number = \(number) AND b.number = \(other)"
              )
              if differs == "1" { statements.append(swap) }
            }
          }
        }
      }
      statements.append("INSERT INTO document SELECT 'more', revision, sealed FROM document LIMIT 1")
      statements.append("UPDATE document SET name = 'other' WHERE name = 'settings'")
      statements.append(
        """
        INSERT INTO slot SELECT zeroblob(16), kind, algorithm, iterations, memory_kib, salt, zeroblob(48) FROM slot
          WHERE kind = 1;
        UPDATE slot SET sealed = zeroblob(48) WHERE id <> zeroblob(16) AND kind = 1
        """
      )
      return statements
    }

    /// Keeps the rows of sealed tables as they are under other names.
    private static func keeping(_ ending: String) -> String {
      ["card", "document", "history", "content", "vault"].map {
        "CREATE TEMP TABLE \($0)_\(ending) AS SELECT * FROM \($0);"
      }
      .joined()
    }

    @Test("R10 every row that is rolled back to an earlier state is detected")
    func older() async throws {
      let vault = try TestVault(inMemory: true)
      let session = try await vault.create()
      let cards = try ["a", "b", "c"].map { try session.note($0) }
      _ = try session.updateSettings([.language: .text("en")])
      try Replica.attach("gone.png", to: cards[0], session)
      try Replica.attach("kept.png", to: cards[0], session)
      let attachments = try session.card(cards[0].id).attachments
      for card in cards { _ = try session.updateCard(card.id, revision: nil, CardChange(title: "new")) }
      let raw = try RawFile(vault)
      try raw.run(
        Self.keeping("then")
      )
      for card in cards { _ = try session.updateCard(card.id, revision: nil, CardChange(title: "newer")) }
      try session.deleteAttachment(attachments[0].id)
      _ = try session.setWatermark(Watermark(text: "mark"), of: attachments[1].id)
      _ = try session.updateSettings([.language: .text("zh-Hans")])
      try session.deleteCard(cards[2].id, revision: nil)
      session.lock(.request)
      try raw.run(
        Self.keeping("now")
      )
      let places =
        [("vault", "1"), ("document", "1"), ("content", "1"), ("history", "1")]
        + cards.flatMap { [("card", "number = \($0.number)"), ("history", "number = \($0.number)")] }
      for (table, condition) in places {
        let differs =
          "SELECT count(*) FROM (SELECT * FROM \(table)_then WHERE \(condition) EXCEPT SELECT * FROM \(table))"
        #expect(try raw.value(differs) != "0", "\(table) \(condition) is as it was")
        try raw.run("REPLACE INTO \(table) SELECT * FROM \(table)_then WHERE \(condition)")
        let opened = try await vault.unlock()
        #expect(try !opened.summary().isIntact, "\(table) \(condition)")
        #expect(try await opened.verify({ _ in }).integrity == .damaged, "\(table) \(condition)")
        opened.lock(.request)
        try raw.run("DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM \(table)_now")
      }
      #expect(try await vault.unlock().summary().isIntact)
    }
  }
}

extension Card {
  fileprivate var number: Int64 { Int64(bitPattern: id.high) }
}

/// The pages on which each card's row lies, and those through which SQLite would reach it are not among them.
private struct Places {
  private(set) var pages: [Identifier: Set<Int>] = [:]
  private let owners: [Int: String]

  init(_ small: SmallVault) throws {
    let raw = try RawFile(small.vault)
    owners = Dictionary(
      try raw.rows("SELECT pageno, name FROM dbstat").map { (Int($0[0]) ?? 0, $0[1]) },
      uniquingKeysWith: { $1 })
    for card in small.cards {
      let id = card.id.bytes
      let leaf = small.image.indices.first {
        small.image[$0...].starts(with: id) && owners[$0 / 512 + 1] == "card"
      }
      guard let leaf else { throw NeverHappened() }
      var all: Set<Int> = [leaf / 512 + 1]
      // The pages on which a long row goes on are named behind the leaf's part of it.
      let paths = try raw.rows(
        "SELECT pageno, path FROM dbstat WHERE name = 'card' AND pagetype = 'overflow'")
      let leafPath = try raw.value(
        "SELECT path FROM dbstat WHERE name = 'card' AND pageno = \(leaf / 512 + 1)")
      for row in paths where row[1].hasPrefix(leafPath) { all.insert(Int(row[0]) ?? 0) }
      pages[card.id] = all
    }
  }

  /// The last page of any of these trees.
  func last(of names: [String]) throws -> Int {
    owners.filter { names.contains($0.value) }.keys.max() ?? 0
  }
}
