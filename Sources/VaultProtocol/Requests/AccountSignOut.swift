package import JSON

/// `account/signOut`: has the server forget the sign-in, and forgets it here.
package struct AccountSignOut: VaultRequest {
  package static let method = "account/signOut"

  package static let coder = ObjectCoder(Self.init)

  package struct Answer: ResultObject, Hashable {
    /// Whether the server has forgotten it; false also if it has no way to.
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
