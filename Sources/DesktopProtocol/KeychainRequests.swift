package import JSON
package import JSONRPC

/// Identifies a device's secret in the keychain.
package struct KeychainItem: JSONObject, Hashable {
  package let vault: String
  package let device: String

  package init(vault: String, device: String) {
    (self.vault, self.device) = (vault, device)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("vault", \.vault).checked("vault", .identifier, isName),
    .required("device", \.device).checked("device", .identifier, isName))

  /// Returns whether a text is 1 to 64 ASCII letters, digits and hyphens.
  @Sendable private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x2D
      }
  }
}

/// `keychain/store`.
package struct KeychainStore: DesktopRequest {
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

  package static let coder = ObjectCoder(
    Self.init, .members(\.item), .required("secret", \.secret),
    .always("label", \.label, default: "QuickVault").checked("label", .string, isLabel),
    .timeout(\.timeoutSeconds, default: 120))

  @Sendable private static func isLabel(_ text: String) -> Bool {
    (1...200).contains(text.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
  }
}

/// A request that concerns one secret and needs nothing else.
package protocol KeychainItemRequest: DesktopRequest {
  var item: KeychainItem { get }
  var timeoutSeconds: Int { get }

  init(item: KeychainItem, timeoutSeconds: Int)
}

extension KeychainItemRequest {
  package static var coder: ObjectCoder<Self> {
    ObjectCoder(Self.init, .members(\.item), .timeout(\.timeoutSeconds, default: 120))
  }
}

/// `keychain/read`.
package struct KeychainRead: KeychainItemRequest {
  package static let method = "keychain/read"

  package let item: KeychainItem
  package let timeoutSeconds: Int

  package init(item: KeychainItem, timeoutSeconds: Int) {
    (self.item, self.timeoutSeconds) = (item, timeoutSeconds)
  }

  package struct Answer: ResultObject {
    /// 32 bytes in Base64.
    package let secret: String

    package init(secret: String) {
      self.secret = secret
    }

    package static let coder = ObjectCoder(Self.init, .required("secret", \.secret))
  }
}

/// `keychain/delete`.
package struct KeychainDelete: KeychainItemRequest {
  package static let method = "keychain/delete"

  package let item: KeychainItem
  package let timeoutSeconds: Int

  package init(item: KeychainItem, timeoutSeconds: Int) {
    (self.item, self.timeoutSeconds) = (item, timeoutSeconds)
  }

  package struct Answer: ResultObject {
    /// False if there was nothing to delete.
    package let deleted: Bool

    package init(deleted: Bool) {
      self.deleted = deleted
    }

    package static let coder = ObjectCoder(Self.init, .required("deleted", \.deleted))
  }
}
