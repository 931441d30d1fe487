import Testing
import Vault
import VaultInterface

@testable import Service

@Suite("Repeated errors") struct ErrorRateLimiterTests {
  private let clock = ControlledTime()
  private let repeated: ErrorRateLimiter

  init() {
    repeated = ErrorRateLimiter(clock: clock)
  }

  @Test("R17 the first hundred errors of a second are written one by one, others are counted")
  func count() {
    var lines: [String] = []
    for _ in 0..<23_456 { lines += repeated.add("a: b.c").map(\.text) }
    #expect(lines.prefix(100).allSatisfy { $0 == "a: b.c" })
    let counts = [1_000, 10_000].map { "a: b.c, \($0) times within a second" }
    #expect(Array(lines.dropFirst(100)) == counts)
    #expect(repeated.add("other: d.e").map(\.text) == ["other: d.e"])
    #expect(repeated.finish().map(\.text) == ["a: b.c, 23456 times within a second"])
    #expect(repeated.finish().isEmpty)
  }

  @Test("R17 what was counted is written with the time of its last error, before that of the next second")
  func nextSecond() throws {
    for _ in 0..<150 { _ = repeated.add("a: b.c") }
    let start = clock.wall
    try clock.advance(5_000)
    let lines = repeated.add("a: b.c")
    #expect(lines.map(\.text) == ["a: b.c, 150 times within a second", "a: b.c"])
    #expect(lines.map(\.time.milliseconds) == [start, start + 5_000])
    for _ in 0..<99 { #expect(repeated.add("a: b.c").count == 1) }
    #expect(repeated.finish().isEmpty)
  }
}
