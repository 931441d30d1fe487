package import Wire

/// A request to `quickvault-carrier serve`.
package protocol CarrierRequest: RequestType, OutgoingRequest, JSONObject where Response: JSONCodable {}

extension CarrierRequest {
  package var parameters: JSON? { json }
}

extension MemberCoder where Value == String? {
  /// A file with certificates of authorities (PEM), in place of those of the system.
  static func authorities(_ get: @escaping Getter<String?>) -> Self { .optionalPath("caFile", get) }

  /// An absolute path.
  static func optionalPath(_ name: String, _ get: @escaping Getter<String?>) -> Self {
    .optional(name, get).checked(name, .string) { @Sendable in $0?.hasPrefix("/") ?? true }
  }

  static func optionalText(_ name: String, _ get: @escaping Getter<String?>) -> Self {
    .optional(name, get).checked(name, .string) { @Sendable in $0?.isHeaderText ?? true }
  }

  static func optionalToken(_ name: String, _ get: @escaping Getter<String?>) -> Self {
    .optional(name, get).checked(name, .string) { @Sendable in $0?.isToken ?? true }
  }
}

extension MemberCoder where Value == String {
  static func text(_ name: String, _ get: @escaping Getter<String>) -> Self {
    .required(name, get).checked(name, .string) { @Sendable in $0.isHeaderText }
  }

  static func token(_ name: String, _ get: @escaping Getter<String>) -> Self {
    .required(name, get).checked(name, .string) { @Sendable in $0.isToken }
  }
}

extension String {
  /// Whether this has 1 to 16,384 bytes and no control character, so that it can be a part of a header.
  var isHeaderText: Bool {
    (1...16_384).contains(utf8.count)
      && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Whether this has 1 to 16,384 characters of ASCII that can be seen (RFC 6749, appendix A), as tokens have.
  package var isToken: Bool {
    (1...16_384).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// A text in both languages.
package struct CarrierText: Sendable {
  package let english: String
  package let chinese: String

  package init(_ english: String, _ chinese: String) {
    (self.english, self.chinese) = (english, chinese)
  }

  /// The text in a language.
  package func text(inChinese: Bool) -> String { inChinese ? chinese : english }
}

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

/// A value with secrets, of which a description or a mirror shows only the type.
package protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
  package var description: String { "\(Self.self)" }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension CarrierCredentials: Redacted {}
extension CarrierCredentials.Token: Redacted {}
extension CarrierSignIn: Redacted {}
