import Foundation
import FuzzSupport
import JSONRPC

/// Which methods were answered with a result: what conversations never reach is not looked at by them.
final class Reach: @unchecked Sendable {  // libFuzzer runs an input after the other on one thread
  private var methods: [String: Int] = [:]

  init() {
    for method in Document.methods where method["result"] != nil {
      methods[method["name"]?.string ?? ""] = 0
    }
  }

  /// Takes note of a result.
  func note(_ method: String) { methods[method]? += 1 }

  /// Tells on standard error which methods had none.
  func tell() {
    let missing = methods.filter { $0.value == 0 }.keys.sorted()
    let told = missing.isEmpty ? "none" : missing.joined(separator: ", ")
    let text = "methods without a result, of \(methods.count): \(told)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
