import Foundation
import TestSupport
import Testing

/// Runs the findings of fuzzing through the same targets again.
@Suite("Findings of fuzzing") struct FuzzRegressionTests {
  private static var directory: URL { Repository.top.appending(path: "Tests/Fuzz/regressions") }

  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  private static func replay(_ target: String, _ file: String) throws -> (error: String, status: Int32) {
    let program = try Repository.built() + "/fuzz-replay"
    let result = try run(program, [target, file], by: Deadline(.seconds(660)))
    return (result.error, result.status)
  }

  @Test("R17 inputs that once crashed a fuzz target no longer do")
  func regressions() async throws {
    let names = try Self.names()
    #expect(names.count >= 3)
    for name in names {
      let target = String(name.prefix { $0 != "-" })
      let file = Self.directory.appending(path: name).path
      let result = try await onThread { try Self.replay(target, file) }
      #expect(result.status == 0, "\(name): \(result.error)")
    }
  }

  @Test("An unknown target is an error")
  func misuse() async throws {
    let file = Self.directory.appending(path: try #require(Self.names().first)).path
    let result = try await onThread { try Self.replay("FuzzNothing", file) }
    #expect(result.status == 64)
  }
}
