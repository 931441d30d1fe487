import Foundation
package import Wire

/// What protocol/openrpc.json says.
package enum Document {
  /// The document.
  package static let whole: JSON = {
    let path = VaultStage.project.appending(path: "protocol/openrpc.json")
    guard let data = try? Data(contentsOf: path), let document = try? JSONReader.read(Array(data)) else {
      fatalError("no openrpc.json")
    }
    return document
  }()

  /// Its methods and notifications.
  package static let methods: [JSON] = {
    guard case .array(let methods) = whole["methods"] else { fatalError("no methods in openrpc.json") }
    return methods
  }()
}
