package import JSON

/// `account/signOut`: revokes the credentials at the server, and deletes them here.
package struct AccountSignOut: VaultRequest {
  package static let method = "account/signOut"

  package static let coder = ObjectCoder(Self.init)

  package struct Response: ResultObject, Hashable {
    /// Whether the server revoked them; false also if it does not support that.
    package var revoked: Bool
    /// Why the server could not be told; nil if it was.
    package var message: LocalizedMessage?

    package init(revoked: Bool, message: LocalizedMessage? = nil) {
      (self.revoked, self.message) = (revoked, message)
    }

    package static let coder = ObjectCoder(
      Self.init(revoked:message:), .required("revoked", \.revoked), .optional("failure", \.message))
  }
}
