import Foundation
import JSON
import TestSupport

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
    let methods = Self.elements(try JSONReader.read(Array(data))["methods"])
    self.methods = Dictionary(
      uniqueKeysWithValues: methods.compactMap { method in method["name"]?.string.map { ($0, method) } })
  }

  func examples(of method: String) -> [Example] {
    Self.elements(methods[method]?["examples"]).map { example in
      let members = Self.elements(example["params"]).compactMap { parameter -> JSON.Member? in
        guard let name = parameter["name"]?.string, let value = parameter["value"] else { return nil }
        return JSON.Member(name, value)
      }
      return Example(parameters: .object(members), answer: example["result"]?["value"])
    }
  }

  private static func elements(_ value: JSON?) -> [JSON] {
    if case .array(let elements)? = value { elements } else { [] }
  }
}
