package import Wire

/// `carrier/refresh`: new tokens in place of those that expire. A password is returned as it is.
package struct CarrierRefresh: CarrierRequest {
  package static let method = "carrier/refresh"

  package var credentials: CarrierCredentials
  package var authorities: String?

  package init(credentials: CarrierCredentials, authorities: String? = nil) {
    (self.credentials, self.authorities) = (credentials, authorities)
  }

  package static let coder = ObjectCoder(
    Self.init(credentials:authorities:), .required("credentials", \.credentials), .authorities(\.authorities))

  package struct Response: ResultObject, Hashable {
    package let credentials: CarrierCredentials

    package init(credentials: CarrierCredentials) {
      self.credentials = credentials
    }

    package static let coder = ObjectCoder(Self.init, .required("credentials", \.credentials))
  }
}

/// `carrier/revoke`: makes the provider forget tokens (RFC 7009), or Nextcloud an app password.
package struct CarrierRevoke: CarrierRequest {
  package static let method = "carrier/revoke"

  /// The URL of the WebDAV collection.
  package var address: String
  package var credentials: CarrierCredentials
  package var authorities: String?

  package init(address: String, credentials: CarrierCredentials, authorities: String? = nil) {
    (self.address, self.credentials, self.authorities) = (address, credentials, authorities)
  }

  package static let coder = ObjectCoder(
    Self.init(address:credentials:authorities:), .required("address", \.address),
    .required("credentials", \.credentials), .authorities(\.authorities))

  package struct Response: ResultObject, Hashable {
    /// False if the server has no way to revoke them.
    package let revoked: Bool

    package init(revoked: Bool) {
      self.revoked = revoked
    }

    package static let coder = ObjectCoder(Self.init, .required("revoked", \.revoked))
  }
}

/// `carrier/deleteData`: removes the folder of one vault from the server.
package struct CarrierDeleteData: CarrierRequest {
  package static let method = "carrier/deleteData"

  package var address: String
  package var credentials: CarrierCredentials
  /// The identifier of the vault.
  package var vault: String
  /// The folder on this machine whose passes end before, or never begin, as an absolute path.
  package var folder: String?
  package var authorities: String?

  package init(
    address: String, credentials: CarrierCredentials, vault: String, folder: String? = nil,
    authorities: String? = nil
  ) {
    (self.address, self.credentials) = (address, credentials)
    (self.vault, self.folder, self.authorities) = (vault, folder, authorities)
  }

  package static let coder = ObjectCoder(
    Self.init(address:credentials:vault:folder:authorities:), .required("address", \.address),
    .required("credentials", \.credentials), .required("vault", \.vault),
    .optionalPath("folder", \.folder), .authorities(\.authorities))

  package struct Response: ResultObject, Hashable {
    /// False if there was nothing to delete.
    package let deleted: Bool

    package init(deleted: Bool) {
      self.deleted = deleted
    }

    package static let coder = ObjectCoder(Self.init, .required("deleted", \.deleted))
  }
}

/// `carrier/signIn`.
package struct CarrierSignIn: CarrierRequest {
  package static let method = "carrier/signIn"

  package enum Method: String, CaseIterable, JSONCodable {
    /// OpenID Connect with a code that is typed into any browser (RFC 8628).
    case device
    /// OpenID Connect in a browser of this machine (RFC 8252, with PKCE).
    case code
    /// Nextcloud's Login Flow v2.
    case nextcloud
    /// A user name and a password, which are tried.
    case password
  }

  package var method: Method
  /// The URL of the WebDAV collection, or with ``Method/nextcloud`` of the server.
  package var address: String
  /// The provider's URL; for ``Method/device`` and ``Method/code``, with ``clientId``.
  package var issuer: String?
  package var clientId: String?
  package var clientSecret: String?
  /// What is asked of the provider; nil for what every provider knows.
  package var scope: String?
  /// With ``password``, for ``Method/password``.
  package var user: String?
  package var password: String?
  package var authorities: String?
  /// How long the person may take.
  package var timeoutSeconds: Int

  package init(
    method: Method, address: String, issuer: String? = nil, clientId: String? = nil,
    clientSecret: String? = nil, scope: String? = nil,
    user: String? = nil, password: String? = nil, authorities: String? = nil, timeoutSeconds: Int = 600
  ) {
    (self.method, self.address, self.issuer, self.clientId) = (method, address, issuer, clientId)
    (self.clientSecret, self.scope) = (clientSecret, scope)
    (self.user, self.password) = (user, password)
    (self.authorities, self.timeoutSeconds) = (authorities, timeoutSeconds)
  }

  package static let coder = ObjectCoder(
    Self.init(method:address:issuer:clientId:clientSecret:scope:user:password:authorities:timeoutSeconds:),
    .required("method", \.method), .required("address", \.address),
    .optionalText("issuer", \.issuer), .optionalText("clientId", \.clientId),
    .optionalText("clientSecret", \.clientSecret), .optionalText("scope", \.scope),
    .optionalText("user", \.user), .optionalText("password", \.password), .authorities(\.authorities),
    .integer("timeoutSeconds", \.timeoutSeconds, in: 1...3_600, default: 600))

  package struct Response: ResultObject, Hashable {
    /// The URL of the WebDAV collection.
    package var address: String
    package var credentials: CarrierCredentials

    package init(address: String, credentials: CarrierCredentials) {
      (self.address, self.credentials) = (address, credentials)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("address", \.address), .required("credentials", \.credentials))
  }
}

/// `carrier/prompt`: the person opens a page to sign in.
package struct CarrierPrompt: OutgoingNotification, ResultObject, Hashable {
  package static let method = "carrier/prompt"

  package let url: String
  /// What to type there; nil if the page needs nothing.
  package let code: String?
  /// The same page with the code in its URL, such as for a QR code.
  package let urlWithCode: String?
  package let expiresInSeconds: Int

  package init(url: String, code: String? = nil, urlWithCode: String? = nil, expiresInSeconds: Int) {
    (self.url, self.code, self.urlWithCode, self.expiresInSeconds) = (
      url, code, urlWithCode, expiresInSeconds
    )
  }

  package static let coder = ObjectCoder(
    Self.init(url:code:urlWithCode:expiresInSeconds:), .required("url", \.url), .optional("code", \.code),
    .optional("urlWithCode", \.urlWithCode), .required("expiresInSeconds", \.expiresInSeconds))
}
