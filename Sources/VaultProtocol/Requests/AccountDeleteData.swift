package import JSON

/// `account/deleteData`: deletes the vault's folder on the server, after password and name as for `vault/delete`, and signs out.
package struct AccountDeleteData: VaultRequest {
  package static let method = "account/deleteData"

  package var password: String
  /// The name of the vault's file, without its directory.
  package var confirmation: String

  package static let coder = ObjectCoder(
    Self.init, .required("password", \.password), .required("confirm", \.confirmation))

  package struct Response: ResultObject, Hashable {
    /// Whether there was anything to delete.
    package var deleted: Bool
    package var signedOut: AccountSignOut.Response

    package init(deleted: Bool, signedOut: AccountSignOut.Response) {
      (self.deleted, self.signedOut) = (deleted, signedOut)
    }

    package static let coder = ObjectCoder(
      Self.init(deleted:signedOut:), .required("deleted", \.deleted), .members(\.signedOut))
  }
}
