import TestSamples
import Testing
import VaultCrypto
import Wire

@Suite("Vault head")
struct VaultHeadTests {
  private func card(_ number: UInt64) -> Identifier { Identifier(high: number, low: 0) }

  @Test("R14 Hash and counts move together")
  func counts() throws {
    let fixtures = try Fixtures()
    var head = VaultHead(emptyAt: 1)
    try head.add(fixtures.element(1), kind: .card)
    try head.add(fixtures.element(2), kind: .card)
    try head.add(fixtures.element(3), kind: .document)
    try head.add(fixtures.element(4), kind: .attachment)
    #expect([head.cardCount, head.documentCount, head.attachmentCount] == [2, 1, 1])
    try head.replace(fixtures.element(1), with: fixtures.element(5))
    try head.remove(fixtures.element(2), kind: .card)
    try head.remove(fixtures.element(3), kind: .document)
    try head.remove(fixtures.element(4), kind: .attachment)
    #expect([head.cardCount, head.documentCount, head.attachmentCount] == [1, 0, 0])
    var expected = RecordHash()
    try expected.add(fixtures.element(5))
    #expect(head.recordHash == expected)
  }

  @Test("R17 A count never passes its ends, and a refused change changes nothing")
  func ends() throws {
    let element = try Fixtures().element(1)
    var head = VaultHead(emptyAt: 1)
    let before = head
    // The record hash alone accounts for histories.
    for kind in RecordKind.allCases where kind != .history {
      #expect(throws: CryptoError.malformed) { try head.remove(element, kind: kind) }
    }
    #expect(throws: CryptoError.malformed) { try head.add(element, kind: .head) }
    #expect(head == before)

    var bytes = head.encoded()
    bytes.replaceSubrange(33..<41, with: [UInt8](repeating: 0xFF, count: 8))
    var full = try decodeHead(bytes, generation: 1)
    #expect(throws: CryptoError.malformed) { try full.add(element, kind: .card) }
  }

  @Test("R14 The list of changes keeps 64 and moves its beginning")
  func bounded() throws {
    var head = VaultHead(emptyAt: 10)
    for number in 1...200 as ClosedRange<UInt64> {
      head.noteChange(of: card(number), at: 10 + number)
      #expect(head.recentChanges.count == min(Int(number), VaultHead.recentChangeLimit))
    }
    #expect(head.recentSince == 146)
    #expect(head.recentChanges.first?.generation == 147)
    #expect(head.cardsChanged(after: 145) == nil)
    #expect(head.cardsChanged(after: 146)?.count == 64)
    #expect(head.cardsChanged(after: 208) == [card(199), card(200)])
    #expect(head.cardsChanged(after: 210) == [])
    #expect(try decodeHead(head.encoded(), generation: 210) == head)
  }

  @Test("R14 The same card again takes one place, the last")
  func sameCard() throws {
    var head = VaultHead(emptyAt: 0)
    for generation in 1...100 as ClosedRange<UInt64> { head.noteChange(of: card(1), at: generation) }
    head.noteChange(of: card(2), at: 101)
    #expect(head.recentSince == 0)
    #expect(head.recentChanges.map(\.generation) == [100, 101])
    #expect(head.cardsChanged(after: 100) == [card(2)])
  }

  @Test("R14 More than 64 cards in one generation make everyone read everything")
  func largeGeneration() throws {
    var head = VaultHead(emptyAt: 0)
    head.noteChange(of: card(0), at: 1)
    for number in 1...100 as ClosedRange<UInt64> { head.noteChange(of: card(number), at: 2) }
    #expect(head.recentSince == 2)
    #expect(head.recentChanges.isEmpty)
    #expect(head.cardsChanged(after: 1) == nil)
    #expect(head.cardsChanged(after: 2) == [])
    head.noteChange(of: card(7), at: 3)
    #expect(head.cardsChanged(after: 2) == [card(7)])
  }

  @Test("R14 A generation out of order resets the list")
  func outOfOrder() throws {
    var head = VaultHead(emptyAt: 0)
    head.noteChange(of: card(1), at: 9)
    head.noteChange(of: card(2), at: 8)
    #expect(head.cardsChanged(after: 8) == nil)
    #expect(head.cardsChanged(after: 9) == [])
  }

  /// What the model of the list says, checked against every reader that may come: whoever saw generation g is told at least
  /// every card that changed after it, or to read everything.
  @Test("R14 No reader ever misses a change", arguments: [3, 33, 333] as [UInt64])
  func nobodyMisses(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var head = VaultHead(emptyAt: 0)
    var history: [(generation: UInt64, card: Identifier)] = []
    for generation in 1...150 as ClosedRange<UInt64> {
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let card = card(.random(in: 0..<90, using: &generator))
        head.noteChange(of: card, at: generation)
        history.append((generation, card))
      }
      #expect(try decodeHead(head.encoded(), generation: generation) == head)
      for seen in 0...generation {
        guard let told = head.cardsChanged(after: seen) else { continue }
        #expect(Set(told) == Set(history.filter { $0.generation > seen }.map(\.card)))
      }
    }
  }

  @Test("R17 No bytes crash the reader: every prefix and every changed byte is read or refused")
  func hostileBytes() throws {
    var head = VaultHead(emptyAt: 0)
    for number in 1...3 as ClosedRange<UInt64> { head.noteChange(of: card(number), at: number) }
    let encoded = head.encoded()
    for count in encoded.indices {
      #expect(throws: CryptoError.malformed) {
        try decodeHead(Array(encoded.prefix(count)), generation: 3)
      }
    }
    for position in encoded.indices {
      var changed = encoded
      changed[position] = 0xFF
      do {
        #expect(try decodeHead(changed, generation: 3).encoded() == changed)
      } catch {
        #expect(error as? CryptoError == .malformed)
      }
    }
  }
}
