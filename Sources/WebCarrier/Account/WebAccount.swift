package import HelperProtocols

/// A collection on a WebDAV server, and what its owner may do there.
package struct WebAccount {
  private let address: WebAddress
  private let folder: WebFolder

  package init(
    _ address: WebAddress, _ credentials: CarrierCredentials, _ environment: WebEnvironment
  ) throws(CarrierError) {
    self.address = address
    folder = WebFolder(try environment.client(address, credentials.http), environment.retry)
  }

  /// Tries the credentials. A collection that is not there is made.
  ///
  /// - Returns: its URL.
  package func check() throws(CarrierError) -> String {
    if try folder.members(of: "") == nil {
      try folder.makeCollection("")
      guard try folder.members(of: "") != nil else { throw .wrongServer }
    }
    return address.url("")
  }

  /// Removes the folder of a vault.
  ///
  /// - Parameter vault: its identifier, as the folder is named.
  /// - Returns: whether there was one.
  package func deleteData(of vault: String) throws(CarrierError) -> Bool {
    guard try folder.members(of: vault) != nil else { return false }
    try folder.remove(vault + "/")
    guard try folder.members(of: vault) == nil else { throw .wrongServer }
    return true
  }
}

extension CarrierCredentials {
  /// What a WebDAV server is told.
  package var http: Credentials {
    switch self {
    case .token(let token): .token(token.accessToken)
    case .password(let user, let password): .password(user: user, password: password)
    }
  }
}
