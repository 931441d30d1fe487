package import JSON

/// `account/status`: whether somebody is signed in, and how the folder is carried.
package struct AccountStatus: VaultRequest {
  package static let method = "account/status"
  package typealias Answer = AccountAnswer

  package static let coder = ObjectCoder(Self.init)
}
