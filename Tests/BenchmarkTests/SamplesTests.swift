import Testing

@testable import quickvault_benchmark

@Suite struct SamplesTests {
  private func summary(_ values: [Int64]) throws -> Summary {
    var samples = Samples()
    for value in values { samples.add(value) }
    return try #require(samples.summary)
  }

  @Test("the median of an odd and of an even number of values, in any order")
  func median() throws {
    #expect(try summary([9, 1, 5]).median == 5)
    #expect(try summary([9, 1, 5, 6]).median == 5.5)
    #expect(try summary([4]).median == 4)
  }

  @Test("the spread lies on the line between neighbours")
  func spread() throws {
    let summary = try summary(Array(stride(from: 100, through: 0, by: -10)))
    #expect(summary.least == 0)
    #expect(summary.tenth == 10)
    #expect(summary.ninetieth == 90)
    #expect(try self.summary([0, 10]).tenth == 1)
  }

  @Test("nothing has no summary")
  func nothing() {
    #expect(Samples().summary == nil)
  }

  @Test("a round measures each thing once, and the least number of rounds is kept without time for it")
  func rounds() throws {
    var calls: Int64 = 0
    let effort = Effort(leastRounds: 5, mostRounds: 8, budget: 0)
    let summaries = try effort.measure {
      calls += 1
      return [calls, 7]
    }
    #expect(summaries.map(\.count) == [5, 5])
    #expect(calls == 6, "one round warms up")
    #expect(summaries[0].median == 4)
    #expect(summaries[1] == Summary(count: 5, least: 7, tenth: 7, median: 7, ninetieth: 7))
  }

  @Test("time does not go on for ever: the greatest number of rounds is kept")
  func mostRounds() throws {
    let effort = Effort(leastRounds: 1, mostRounds: 3, budget: .max)
    #expect(try effort.measure { [1] }.first?.count == 3)
  }
}
