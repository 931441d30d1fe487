package import JSON

/// `account/status`: whether somebody is signed in, and the result of the last pass.
package struct AccountStatus: VaultRequest {
  package static let method = "account/status"
  package typealias Response = AccountResponse

  package static let coder = ObjectCoder(Self.init)
}
