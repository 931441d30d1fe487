import Foundation
import TestSupport
import Wire

/// The methods of `protocol/openrpc.json` with their examples.
struct Reference {
  struct Example {
    /// All parameters in one object.
    let parameters: JSON
    /// Nil for a notification.
    let answer: JSON?
  }

  private let methods: [String: JSON]

  init() throws {
    let data = try Data(contentsOf: Repository.protocolDirectory.appending(path: "openrpc.json"))
    let methods = try JSONReader.read(Array(data))["methods"]?.elements ?? []
    self.methods = Dictionary(
      uniqueKeysWithValues: methods.compactMap { method in method["name"]?.string.map { ($0, method) } })
  }

  func examples(of method: String) -> [Example] {
    (methods[method]?["examples"]?.elements ?? []).map { example in
      let members = (example["params"]?.elements ?? []).compactMap { parameter -> JSON.Member? in
        guard let name = parameter["name"]?.string, let value = parameter["value"] else { return nil }
        return JSON.Member(name, value)
      }
      return Example(parameters: .object(members), answer: example["result"]?["value"])
    }
  }
}
