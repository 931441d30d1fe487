package import Wire

/// Identifies one of a device's secrets in the keychain.
package struct KeychainItem: JSONObject, Hashable {
  package enum Purpose: String, CaseIterable, JSONCodable {
    /// 32 bytes that open the vault.
    case device
    /// The credentials for the server to which the folder is mirrored: 1 to 65,536 bytes.
    case account
  }

  package let vault: String
  package let device: String
  package let purpose: Purpose

  package init(vault: String, device: String, purpose: Purpose = .device) {
    (self.vault, self.device, self.purpose) = (vault, device, purpose)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("vault", \.vault).checked("vault", .identifier, isName),
    .required("device", \.device).checked("device", .identifier, isName),
    .member("purpose", \.purpose, default: .device))

  /// Returns whether a text is 1 to 64 ASCII letters, digits and hyphens.
  @Sendable private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x2D
      }
  }
}

/// A request that concerns one secret.
package protocol KeychainRequest: DesktopRequest {
  var item: KeychainItem { get }
  /// Whether the keychain may ask the user to unlock it.
  var prompts: Bool { get }
  /// How long the user may take to answer.
  var timeoutSeconds: Int { get }
}

/// `keychain/store`.
package struct KeychainStore: KeychainRequest {
  package typealias Response = NullResult
  package static let method = "keychain/store"

  package let item: KeychainItem
  /// In Base64.
  package let secret: String
  /// The name in the desktop's keychain viewer.
  package let label: String
  package let prompts: Bool
  package let timeoutSeconds: Int

  package init(
    item: KeychainItem, secret: String, label: String = "QuickVault", prompts: Bool = true,
    timeoutSeconds: Int
  ) {
    (self.item, self.secret, self.label) = (item, secret, label)
    (self.prompts, self.timeoutSeconds) = (prompts, timeoutSeconds)
  }

  package static let coder = ObjectCoder(
    Self.init, .members(\.item), .required("secret", \.secret),
    .always("label", \.label, default: "QuickVault").checked("label", .string, isLabel),
    .member("prompts", \.prompts, default: true), .timeout(\.timeoutSeconds, default: 120))

  @Sendable private static func isLabel(_ text: String) -> Bool {
    (1...200).contains(text.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
  }
}

/// A request that concerns one secret and needs nothing else.
package protocol KeychainItemRequest: KeychainRequest {
  init(item: KeychainItem, prompts: Bool, timeoutSeconds: Int)
}

extension KeychainItemRequest {
  package static var coder: ObjectCoder<Self> {
    ObjectCoder(
      Self.init, .members(\.item), .member("prompts", \.prompts, default: true),
      .timeout(\.timeoutSeconds, default: 120))
  }
}

/// `keychain/read`.
package struct KeychainRead: KeychainItemRequest {
  package static let method = "keychain/read"

  package let item: KeychainItem
  package let prompts: Bool
  package let timeoutSeconds: Int

  package init(item: KeychainItem, prompts: Bool = true, timeoutSeconds: Int) {
    (self.item, self.prompts, self.timeoutSeconds) = (item, prompts, timeoutSeconds)
  }

  package struct Response: ResultObject {
    /// In Base64.
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
  package let prompts: Bool
  package let timeoutSeconds: Int

  package init(item: KeychainItem, prompts: Bool = true, timeoutSeconds: Int) {
    (self.item, self.prompts, self.timeoutSeconds) = (item, prompts, timeoutSeconds)
  }

  package struct Response: ResultObject {
    /// False if there was nothing to delete.
    package let deleted: Bool

    package init(deleted: Bool) {
      self.deleted = deleted
    }

    package static let coder = ObjectCoder(Self.init, .required("deleted", \.deleted))
  }
}
