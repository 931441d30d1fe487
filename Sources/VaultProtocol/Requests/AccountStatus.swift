package import JSON

/// `account/status`: whether somebody is signed in, and how the folder is carried.
package struct AccountStatus: VaultRequest {
  package static let method = "account/status"
  package typealias Response = AccountResponse

  package static let coder = ObjectCoder(Self.init)
}
