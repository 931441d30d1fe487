import SessionSupport
import Testing

@testable import Vault

@Suite("A scan on two threads")
struct SharedScanTests {
  @Test(
    "two threads scan all numbers, each once, in any interleaving", arguments: [1, 600, 100_000])
  func everyNumberOnce(cards: UInt64) {
    for _ in 0..<200 {
      let shared = SharedRange(cards: cards)
      var (low, high): ([ClosedRange<Int64>], [ClosedRange<Int64>]) = ([], [])
      let share = Double.random(in: 0...1)
      while true {
        let isLow = Double.random(in: 0...1) < share
        guard let numbers = shared.take(from: isLow ? .low : .high) else { break }
        if isLow { low.append(numbers) } else { high.append(numbers) }
      }
      let all = low + high.reversed()
      #expect(all.first?.lowerBound == .min && all.last?.upperBound == .max)
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.upperBound + 1 == $1.lowerBound })
      #expect(shared.take(from: .low) == nil && shared.take(from: .high) == nil)
      #expect(all.count < 64 + Int(cards) / 8)
    }
  }

  @Test("join waits for work that has started, and throws its error")
  func waits() async throws {
    struct Failure: Error {}
    for _ in 0..<100 {
      let task = ParallelTask { 7 }
      let result = try task.join()
      #expect(result == 7 || result == nil)
    }
    let hasBegun = Box(false)
    let failing = ParallelTask<Int> {
      hasBegun.value = true
      for _ in 0..<10_000 { _ = SystemClock().boot }
      throw Failure()
    }
    try await waitUntil { hasBegun.value }
    #expect(throws: Failure.self) { try failing.join() }
  }
}
