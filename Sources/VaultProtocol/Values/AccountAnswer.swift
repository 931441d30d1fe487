package import JSON
package import VaultModel

/// The account of the vault, and how the folder is carried to its server.
package struct AccountAnswer: ResultObject, Hashable {
  /// What is there only if somebody is signed in.
  package struct Details: ResultObject, Hashable {
    package var method: AccountMethod
    /// The URL of the WebDAV folder.
    package var address: String
    package var user: String?
    /// When the access token expires. It is replaced before.
    package var expiresAt: Timestamp?
    /// When everything was last carried by this process; nil before.
    package var lastCarried: Timestamp?
    /// Why the last pass failed.
    package var failure: SyncAnswer.Failure?

    package init(
      method: AccountMethod, address: String, user: String?, expiresAt: Timestamp?, lastCarried: Timestamp?,
      failure: SyncAnswer.Failure?
    ) {
      (self.method, self.address, self.user, self.expiresAt) = (method, address, user, expiresAt)
      (self.lastCarried, self.failure) = (lastCarried, failure)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("method", \.method), .required("address", \.address), .optional("user", \.user),
      .optional("expiresAt", \.expiresAt), .optional("lastCarried", \.lastCarried),
      .optional("failure", \.failure))
  }

  /// Nil if nobody is signed in.
  package var details: Details?

  package init(_ details: Details?) {
    self.details = details
  }

  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      let isSignedIn: Bool = try members.required("signedIn")
      return Self(isSignedIn ? try Details.coder.read(&members) : nil)
    },
    write: { answer, members in
      members.append(.init("signedIn", .bool(answer.details != nil)))
      if let details = answer.details { Details.coder.write(details, &members) }
    })
}
