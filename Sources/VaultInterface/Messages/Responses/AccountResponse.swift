package import Wire

/// The account of the vault, and how its folder is mirrored to the server.
package struct AccountResponse: ResultObject, Hashable {
  /// The places where tokens or an app password can be stored.
  package enum TokenStorage: String, CaseIterable, JSONCodable {
    case keychain, vault
  }

  /// The members that exist only while somebody is signed in.
  package struct Details: ResultObject, Hashable {
    package var method: AccountMethod
    /// The URL of the WebDAV folder.
    package var address: String
    package var user: String?
    /// The path of a file with certificates of authorities; nil for those of the system.
    package var authorities: String?
    /// The place of the sign-in; nil if it is in memory, while there is no vault.
    package var tokensIn: TokenStorage?
    /// When the access token expires. It is replaced before.
    package var expiresAt: Timestamp?
    package var mirror: SyncResponse.MirrorStatus

    package init(
      method: AccountMethod, address: String, user: String?, authorities: String?, tokensIn: TokenStorage?,
      expiresAt: Timestamp?, mirror: SyncResponse.MirrorStatus
    ) {
      (self.method, self.address) = (method, address)
      (self.user, self.authorities) = (user, authorities)
      (self.tokensIn, self.expiresAt, self.mirror) = (tokensIn, expiresAt, mirror)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("method", \.method), .required("address", \.address), .optional("user", \.user),
      .optional("caFile", \.authorities), .optional("tokensIn", \.tokensIn),
      .optional("expiresAt", \.expiresAt), .members(\.mirror))
  }

  /// Nil if nobody is signed in.
  package var details: Details?

  package init(_ details: Details?) { self.details = details }

  package static let coder = ObjectCoder(flag: "signedIn", Self.init) { $0.details }
}
