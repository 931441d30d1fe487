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
