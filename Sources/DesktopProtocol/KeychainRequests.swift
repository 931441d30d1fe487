package import JSON
package import JSONRPC

/// Identifies a device's secret in the keychain.
package struct KeychainItem: Sendable, Hashable {
  package let vault: String
  package let device: String

  package init(vault: String, device: String) {
    (self.vault, self.device) = (vault, device)
  }

  init(_ parameters: inout Parameters) throws(ParameterError) {
    vault = try parameters.name("vault")
    device = try parameters.name("device")
  }

  /// Returns the parameters that all keychain requests have, followed by `others`.
  func parameters(_ timeoutSeconds: Int, _ others: [JSON.Member] = []) -> JSON {
    .object(
      [
        .init("vault", .string(vault)), .init("device", .string(device)),
        .init("timeoutSeconds", .integer(timeoutSeconds)),
      ] + others)
  }
}

/// `keychain/store`.
package struct KeychainStore: RequestType, OutgoingRequest {
  package typealias Answer = Nothing
  package static let method = "keychain/store"

  package let item: KeychainItem
  /// 32 bytes in Base64.
  package let secret: String
  /// The name in the desktop's keychain viewer.
  package let label: String
  package let timeoutSeconds: Int

  package init(item: KeychainItem, secret: String, label: String = "QuickVault", timeoutSeconds: Int) {
    (self.item, self.secret, self.label, self.timeoutSeconds) = (item, secret, label, timeoutSeconds)
  }

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    item = try KeychainItem(&parameters)
    secret = try parameters.required("secret")
    label = try parameters.optional("label") ?? "QuickVault"
    guard (1...200).contains(label.count), !label.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw ParameterError("label", .string)
    }
    timeoutSeconds = try parameters.timeoutSeconds(default: 120)
  }

  package var parameters: JSON? {
    item.parameters(timeoutSeconds, [.init("secret", .string(secret)), .init("label", .string(label))])
  }
}

/// `keychain/read`.
package struct KeychainRead: RequestType, OutgoingRequest {
  package static let method = "keychain/read"

  package let item: KeychainItem
  package let timeoutSeconds: Int

  package init(item: KeychainItem, timeoutSeconds: Int) {
    (self.item, self.timeoutSeconds) = (item, timeoutSeconds)
  }

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    item = try KeychainItem(&parameters)
    timeoutSeconds = try parameters.timeoutSeconds(default: 120)
  }

  package var parameters: JSON? { item.parameters(timeoutSeconds) }

  package struct Answer: JSONConvertible, ParameterValue {
    /// 32 bytes in Base64.
    package let secret: String

    package init(secret: String) {
      self.secret = secret
    }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      return Answer(secret: try members.required("secret"))
    }

    package var json: JSON { ["secret": .string(secret)] }
  }
}

/// `keychain/delete`.
package struct KeychainDelete: RequestType, OutgoingRequest {
  package static let method = "keychain/delete"

  package let item: KeychainItem
  package let timeoutSeconds: Int

  package init(item: KeychainItem, timeoutSeconds: Int) {
    (self.item, self.timeoutSeconds) = (item, timeoutSeconds)
  }

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    item = try KeychainItem(&parameters)
    timeoutSeconds = try parameters.timeoutSeconds(default: 120)
  }

  package var parameters: JSON? { item.parameters(timeoutSeconds) }

  package struct Answer: JSONConvertible, ParameterValue {
    /// False if there was nothing to delete.
    package let deleted: Bool

    package init(deleted: Bool) {
      self.deleted = deleted
    }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      return Answer(deleted: try members.required("deleted"))
    }

    package var json: JSON { ["deleted": .bool(deleted)] }
  }
}

extension Parameters {
  /// Takes 1 to 64 ASCII letters, digits and hyphens.
  fileprivate mutating func name(_ name: String) throws(ParameterError) -> String {
    let value: String = try required(name)
    let isName = value.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x2D
    }
    guard isName, (1...64).contains(value.utf8.count) else { throw ParameterError(name, .identifier) }
    return value
  }
}
