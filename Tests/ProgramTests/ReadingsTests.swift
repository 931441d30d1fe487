import Foundation
import TestSupport
import Testing

/// The readings of Chinese characters, compared with the database that they come from.
@Suite("Readings") struct ReadingsTests {
  @Test("R7 The table of readings is what its script generates from Debian's Unihan data")
  func table() async throws {
    let pinyin = Repository.top.appending(path: "Sources/CText")
    let made = try await onThread {
      try run(
        "/usr/bin/python3", [pinyin.appending(path: "make_readings.py").path],
        environment: ["PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8"])
    }
    try #require(made.status == 0)
    let kept = try String(contentsOf: pinyin.appending(path: "readings.inc"), encoding: .utf8)
    #expect(made.output == kept)
  }
}
