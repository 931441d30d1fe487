package import Wire

/// How somebody signs in to the server to which the folder is mirrored.
package enum AccountMethod: String, CaseIterable, JSONCodable {
  /// OpenID Connect with a code that is typed into any browser (RFC 8628).
  case device
  /// OpenID Connect in a browser of this machine (RFC 8252).
  case code
  /// Nextcloud's Login Flow v2.
  case nextcloud
  /// A user name and an app password.
  case password
}

/// `account/signIn`: signs in to the server to which the folder is mirrored.
package struct AccountSignIn: VaultRequest {
  package static let method = "account/signIn"
  package typealias Response = AccountResponse

  package var method: AccountMethod
  /// The URL of the WebDAV folder, or with ``AccountMethod/nextcloud`` of the server.
  package var address: String
  /// The provider's URL; with ``clientId``, for ``AccountMethod/device`` and ``AccountMethod/code``.
  package var issuer: String?
  package var clientId: String?
  /// For a provider such as Google, which gives one even to a program of which it is no secret.
  package var clientSecret: String?
  package var scope: String?
  /// With ``password``, for ``AccountMethod/password``.
  package var user: String?
  package var password: String?
  /// The absolute path of a file with certificates of authorities (PEM), in place of those of the system.
  package var authorities: String?

  package init(
    method: AccountMethod, address: String, issuer: String?, clientId: String?, clientSecret: String? = nil,
    scope: String?, user: String?, password: String? = nil, authorities: String?
  ) {
    (self.method, self.address, self.issuer, self.clientId) = (method, address, issuer, clientId)
    (self.clientSecret, self.scope, self.user) = (clientSecret, scope, user)
    (self.password, self.authorities) = (password, authorities)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("method", \.method), .required("address", \.address), .optional("issuer", \.issuer),
    .optional("clientId", \.clientId), .optional("clientSecret", \.clientSecret), .optional("scope", \.scope),
    .optional("user", \.user), .optional("password", \.password), .optional("caFile", \.authorities))
}

/// `account/status`: whether somebody is signed in, and the result of the last pass.
package struct AccountStatus: ParameterlessRequest {
  package static let method = "account/status"
  package typealias Response = AccountResponse

  package init() {}
}

/// `account/signOut`: revokes the credentials at the server, and deletes them here.
package struct AccountSignOut: ParameterlessRequest {
  package static let method = "account/signOut"

  package init() {}

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

/// `account/providers`: the servers and providers that a person can choose from, and what each needs. Works locked.
package struct AccountProviders: ParameterlessRequest {
  package static let method = "account/providers"

  package init() {}

  package struct Response: ResultObject, Hashable {
    package var providers: [AccountProvider]

    package init(providers: [AccountProvider]) { self.providers = providers }

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

/// `account/deleteData`: deletes the vault's folder on the server, after password and name as for `vault/delete`, and signs out.
package struct AccountDeleteData: VaultRequest {
  package static let method = "account/deleteData"

  package var password: String
  /// The name of the vault's file, without its directory.
  package var confirmation: String

  package init(password: String, confirmation: String) {
    (self.password, self.confirmation) = (password, confirmation)
  }

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
