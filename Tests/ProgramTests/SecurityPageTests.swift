import Foundation
import TestSupport
import Testing

/// protocol/SECURITY.md promises nothing without a test that is there.
@Suite("The security page") struct SecurityPageTests {
  private static func page() throws -> String {
    try String(contentsOf: Repository.protocolDirectory.appending(path: "SECURITY.md"), encoding: .utf8)
  }

  @Test("Every row of what is defended names a test, and every test that is named exists")
  func namedTests() throws {
    let rows = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count > 15)
    for row in rows {
      let evidence = try #require(row.split(separator: "|").last { $0.contains("`") }, "\(row)")
      let names = evidence.split(separator: "`").filter { !$0.allSatisfy(\.isWhitespace) }
      #expect(!names.isEmpty, "\(row)")
      for name in names { try Self.require(String(name)) }
    }
  }

  /// Requires the file and, after a colon, the text in it.
  private static func require(_ name: String) throws {
    let parts = name.split(separator: ": ", maxSplits: 1).map(String.init)
    let file = Repository.top.appending(path: parts[0])
    let text = try String(contentsOf: file, encoding: .utf8)
    if parts.count > 1 { #expect(text.contains(parts[1]), "\(name)") }
  }
}
