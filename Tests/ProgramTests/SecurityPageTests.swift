import Foundation
import TestSupport
import Testing

/// protocol/SECURITY.md makes no promise without a test.
@Suite("The security page") struct SecurityPageTests {
  /// A promise of the page and the tests named below it.
  private struct Promise {
    let text: Substring
    var tests: [Substring] = []
  }

  /// The items of the list of what is protected, each with the items below it.
  private static func promises() throws -> [Promise] {
    let page = try String(
      contentsOf: Repository.protocolDirectory.appending(path: "SECURITY.md"), encoding: .utf8)
    let section = try #require(
      page.split(separator: "\n## ").first { $0.hasPrefix("What is protected\n") })
    var promises: [Promise] = []
    for line in section.split(separator: "\n") {
      if line.hasPrefix("- ") {
        promises.append(Promise(text: line))
      } else if line.hasPrefix("  - ") {
        promises[promises.count - 1].tests.append(line.dropFirst(4))
      }
    }
    return promises
  }

  @Test("Every promise names a test, and every named test exists")
  func namedTests() throws {
    let promises = try Self.promises()
    #expect(promises.count > 15)
    for promise in promises {
      #expect(!promise.tests.isEmpty, "\(promise.text)")
      for test in promise.tests {
        #expect(test.hasPrefix("`") && test.hasSuffix("`"), "\(test)")
        try Self.require(test.trimmingCharacters(in: ["`"]))
      }
    }
  }

  /// Requires the file and, after a colon, the text in it, which may be the beginning of a test's name.
  private static func require(_ name: String) throws {
    let parts = name.split(separator: ": ", maxSplits: 1).map(String.init)
    let file = Repository.top.appending(path: parts[0])
    let text = try String(contentsOf: file, encoding: .utf8)
    if parts.count > 1 { #expect(text.contains(parts[1]), "\(name)") }
  }
}
