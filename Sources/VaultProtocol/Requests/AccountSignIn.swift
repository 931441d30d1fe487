package import JSON

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

  package static let coder = ObjectCoder(
    Self.init, .required("method", \.method), .required("address", \.address), .optional("issuer", \.issuer),
    .optional("clientId", \.clientId), .optional("clientSecret", \.clientSecret), .optional("scope", \.scope),
    .optional("user", \.user), .optional("password", \.password), .optional("caFile", \.authorities))
}
