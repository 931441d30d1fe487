import TestSamples
import Testing
import Wire

@testable import quickvault_benchmark

@Suite struct SampleCardTests {
  @Test("SplitMix64 gives the numbers of its reference implementation")
  func random() {
    var random = SeededGenerator(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }

  @Test("the same number makes the same card, and others differ")
  func deterministic() {
    #expect(SampleCard(number: 7).parameters == SampleCard(number: 7).parameters)
    #expect(Set((0..<1_000).map { SampleCard(number: $0).title }).count == 1_000)
  }

  @Test("the check character of real credit codes")
  func creditCode() {
    #expect(SampleCreditCode.checkCharacter(of: "91350100M000100Y4") == "3")
    #expect(SampleCreditCode.checkCharacter(of: "91440300708461136") == "T")
  }

  @Test("cards of all types, groups and pins come, and hits are counted")
  func variety() {
    let cards = (0..<1_000).map(SampleCard.init)
    #expect(Set(cards.map(\.type)) == ["address", "invoice", "text"])
    #expect(Set(cards.map(\.group)) == ["personal", "company"])
    #expect((1..<100).contains(cards.count(where: \.isPinned)))
    let searches = Searches(cards: 1_000)
    #expect(searches.nothing.hits == 0)
    #expect(searches.one.hits == 1)
    #expect(searches.many.hits > 50)
    #expect(searches.chinese.hits > 0)
    #expect(searches.qualifier.hits > 0)
  }
}
