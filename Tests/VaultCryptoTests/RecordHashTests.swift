import TestSamples
import Testing
import VaultCrypto
import Wire

@Suite("Record hash")
struct RecordHashTests {
  @Test("R14 The order of records does not matter", arguments: [1, 2, 3, 5, 8, 13] as [UInt64])
  func order(_ seed: UInt64) throws {
    let fixtures = try Fixtures()
    let elements = try (0..<40).map { try fixtures.element($0) }
    var generator = SeededGenerator(seed: seed)
    var inOrder = RecordHash()
    for element in elements { inOrder.add(element) }
    var shuffled = RecordHash()
    for element in elements.shuffled(using: &generator) { shuffled.add(element) }
    #expect(inOrder == shuffled)
    #expect(inOrder != RecordHash())
  }

  @Test("R14 Removing undoes adding, in any order", arguments: [21, 34, 55, 89] as [UInt64])
  func inverse(_ seed: UInt64) throws {
    let fixtures = try Fixtures()
    let elements = try (0..<40).map { try fixtures.element($0) }
    var generator = SeededGenerator(seed: seed)
    var hash = RecordHash()
    var steps = elements.map { ($0, true) } + elements.map { ($0, false) }
    steps.shuffle(using: &generator)
    for (element, isAdded) in steps {
      if isAdded { hash.add(element) } else { hash.remove(element) }
    }
    #expect(hash == RecordHash())
  }

  @Test("R14 A lost, doubled, exchanged or older record shows")
  func differences() throws {
    let fixtures = try Fixtures()
    let elements = try (0..<10).map { try fixtures.element($0) }
    var whole = RecordHash()
    for element in elements { whole.add(element) }

    var lost = whole
    lost.remove(elements[3])
    #expect(lost != whole)

    var doubled = whole
    doubled.add(elements[3])
    #expect(doubled != whole)

    var twice = doubled
    twice.add(elements[3])
    #expect(twice != doubled && twice != whole)
  }

  @Test("R14 Kind, id, revision, salt and tag each change the element")
  func inputs() throws {
    let fixtures = try Fixtures()
    let hasher = fixtures.keys.hasher
    let id = Identifier(high: 1, low: 1)
    let sealed = try fixtures.sealed(1)
    var otherSalt = sealed
    otherSalt[0] ^= 1
    var otherTag = sealed
    otherTag[sealed.count - 1] ^= 1
    var otherMiddle = sealed
    otherMiddle[20] ^= 1
    let first = try hasher.element(kind: .card, id: id, revision: 1, sealed: sealed)
    let others = [
      try hasher.element(kind: .document, id: id, revision: 1, sealed: sealed),
      try hasher.element(kind: .card, id: Identifier(high: 1, low: 2), revision: 1, sealed: sealed),
      try hasher.element(kind: .card, id: id, revision: 2, sealed: sealed),
      try hasher.element(kind: .card, id: id, revision: 1, sealed: otherSalt),
      try hasher.element(kind: .card, id: id, revision: 1, sealed: otherTag),
    ]
    #expect(Set(others + [first]).count == 6)
    #expect(try hasher.element(kind: .card, id: id, revision: 1, sealed: otherMiddle) == first)
  }

  @Test("R14 A hash survives being stored")
  func bytes() throws {
    var hash = RecordHash()
    hash.add(try Fixtures().element(1))
    #expect(try hash.bytes.withRawSpan { (span) throws(CryptoError) in try RecordHash(span) } == hash)
    #expect(RecordHash().bytes == [UInt8](repeating: 0, count: 32))
    #expect(throws: CryptoError.malformed) {
      try [UInt8](repeating: 0, count: 31).withRawSpan { (span) throws(CryptoError) in try RecordHash(span) }
    }
  }
}
