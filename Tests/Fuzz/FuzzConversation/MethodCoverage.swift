import Foundation
import FuzzSupport
import Wire

/// Counts the methods that were answered with a result.
final class MethodCoverage: @unchecked Sendable {  // libFuzzer runs an input after the other on one thread
  private var methods: [String: Int] = [:]

  init() {
    for method in Document.methods where method["result"] != nil {
      methods[method["name"]?.string ?? ""] = 0
    }
  }

  func count(_ method: String) { methods[method]? += 1 }

  /// Writes the methods without a result to standard error.
  func report() {
    let missing = methods.filter { $0.value == 0 }.keys.sorted()
    let names = missing.isEmpty ? "none" : missing.joined(separator: ", ")
    let text = "methods without a result, of \(methods.count): \(names)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
