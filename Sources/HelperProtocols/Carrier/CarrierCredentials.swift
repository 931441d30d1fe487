package import Wire

/// The credentials that a sign-in returns. The caller stores them; the carrier keeps nothing.
package enum CarrierCredentials: ResultObject, Hashable {
  /// Tokens of an OpenID provider.
  case token(Token)
  /// A password, such as an app password.
  case password(user: String, password: String)

  package struct Token: ResultObject, Hashable {
    /// The provider's URL.
    package var issuer: String
    package var clientId: String
    /// What the provider wants with ``clientId``; nil for nothing.
    package var clientSecret: String?
    package var accessToken: String
    package var refreshToken: String?
    /// When the access token expires, in seconds since 1970; nil if the provider does not say.
    package var expiresAt: Int?
    /// The person's e-mail address or name, as the provider says; nil if it does not.
    package var user: String?

    package init(
      issuer: String, clientId: String, clientSecret: String? = nil, accessToken: String,
      refreshToken: String?, expiresAt: Int?, user: String? = nil
    ) {
      (self.issuer, self.clientId, self.clientSecret) = (issuer, clientId, clientSecret)
      self.accessToken = accessToken
      (self.refreshToken, self.expiresAt, self.user) = (refreshToken, expiresAt, user)
    }

    package static let coder = ObjectCoder(
      Self.init, .text("issuer", \.issuer), .text("clientId", \.clientId),
      .optionalText("clientSecret", \.clientSecret),
      .token("accessToken", \.accessToken),
      .optionalToken("refreshToken", \.refreshToken),
      .integer("expiresAt", \.expiresAt, in: 0...Int(Int32.max) * 1_000),
      .optional("user", \.user))
  }

  private enum Kind: String, CaseIterable, JSONCodable {
    case token, password
  }

  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      let kind: Kind = try members.required("kind")
      switch kind {
      case .token: return .token(try Token.coder.read(&members))
      case .password:
        let user: String = try members.required("user")
        let password: String = try members.required("password")
        guard user.isHeaderText else { throw ParameterError(members.place(of: "user"), .string) }
        guard password.isHeaderText else { throw ParameterError(members.place(of: "password"), .string) }
        return .password(user: user, password: password)
      }
    },
    write: { credentials, members in
      switch credentials {
      case .token(let token):
        members.append(.init("kind", "token"))
        Token.coder.write(token, &members)
      case .password(let user, let password):
        members += [
          .init("kind", "password"), .init("user", .string(user)), .init("password", .string(password)),
        ]
      }
    })
}

extension CarrierCredentials: CustomStringConvertible, CustomReflectable {
  /// The kind and nothing else.
  package var description: String { "CarrierCredentials" }

  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension CarrierCredentials.Token: CustomStringConvertible, CustomReflectable {
  /// The kind and nothing else.
  package var description: String { "CarrierCredentials.Token" }

  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
