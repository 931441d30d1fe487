package import JSON
package import VaultModel

/// `account/providers`: the servers and providers that a person can choose from, and what each needs. Works locked.
package struct AccountProviders: VaultRequest {
  package static let method = "account/providers"

  package static let coder = ObjectCoder(Self.init)

  package struct Response: ResultObject, Hashable {
    package var providers: [AccountProvider]

    package init(providers: [AccountProvider]) {
      self.providers = providers
    }

    package static let coder = ObjectCoder(Self.init, .required("providers", \.providers))
  }
}

/// A kind of server, or of provider to sign in with.
package struct AccountProvider: ResultObject, Hashable {
  package var id: String
  package var name: Localized
  /// A sentence for the user about what to have ready.
  package var note: Localized
  /// The best first.
  package var methods: [AccountMethod]
  /// The parameters of ``AccountSignIn`` to ask the person for, in this order.
  package var needs: [String]
  /// The parameters that are the same for every user.
  package var address: String?
  package var issuer: String?

  package init(
    id: String, name: Localized, note: Localized, methods: [AccountMethod], needs: [String],
    address: String? = nil, issuer: String? = nil
  ) {
    (self.id, self.name, self.note, self.methods) = (id, name, note, methods)
    (self.needs, self.address, self.issuer) = (needs, address, issuer)
  }

  package static let coder = ObjectCoder(
    Self.init(id:name:note:methods:needs:address:issuer:), .required("id", \.id), .required("name", \.name),
    .required("note", \.note), .required("methods", \.methods), .required("needs", \.needs),
    .optional("address", \.address), .optional("issuer", \.issuer))
}
