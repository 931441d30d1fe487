import Glibc
package import HelperProtocols
import Wire

/// An OpenID provider, as it describes itself (OpenID Connect Discovery 1.0, RFC 8414).
package struct OpenIDProvider {
  let web: WebService
  private let issuer: String
  let clientId: String
  private let clientSecret: String?
  private let isEncrypted: Bool
  private let metadata: JSON

  /// Asks the provider for its description.
  ///
  /// - Throws: ``CarrierError/wrongServer`` if there is none, or it is that of another provider.
  package init(
    _ issuer: String, clientId: String, clientSecret: String? = nil, _ environment: WebEnvironment
  ) throws(CarrierError) {
    web = WebService(environment: environment)
    (self.issuer, self.clientId, self.clientSecret) = (issuer, clientId, clientSecret)
    let name = Self.withoutSlash(issuer)
    guard let address = WebAddress(issuer) else { throw .wrongServer }
    isEncrypted = address.isEncrypted
    let root = WebAddress(originOf: issuer)?.url("") ?? ""
    let path = Self.withoutSlash(address.path)
    var metadata = try web.get(name + "/.well-known/openid-configuration")
    if metadata == nil { metadata = try web.get(root + ".well-known/oauth-authorization-server" + path) }
    guard let metadata else { throw .wrongServer }
    guard let given = metadata["issuer"]?.string, Self.withoutSlash(given) == name else { throw .wrongServer }
    self.metadata = metadata
  }

  /// Returns whether this is the provider of a name.
  func isNamed(_ name: String) -> Bool { Self.withoutSlash(name) == Self.withoutSlash(issuer) }

  /// Whether the provider says that each of its answers names it (RFC 9207, section 3).
  var namesItself: Bool { metadata["authorization_response_iss_parameter_supported"] == .bool(true) }

  private static func withoutSlash(_ url: String) -> String {
    url.hasSuffix("/") ? String(url.dropLast()) : url
  }

  /// The URL of an endpoint; nil if the provider has none.
  func endpoint(_ name: String) throws(CarrierError) -> String? {
    guard let url = metadata[name]?.string else { return nil }
    return try checked(url)
  }

  /// A URL that the provider gave, which is not less protected than the provider's own.
  func checked(_ url: String) throws(CarrierError) -> String {
    guard url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let origin = WebAddress(originOf: url), origin.isEncrypted || !isEncrypted
    else { throw .wrongServer }
    return url
  }

  /// The scope to ask for where the caller names none.
  func scope(_ scope: String?) -> String {
    if let scope { return scope }
    guard case .array(let known)? = metadata["scopes_supported"] else { return "openid" }
    return (["openid"] + ["email", "offline_access"].filter { known.contains(.string($0)) }).joined(
      separator: " ")
  }

  /// The provider that gave a token.
  ///
  /// - Throws: as ``init(_:clientId:clientSecret:_:)``.
  package init(of token: CarrierCredentials.Token, _ environment: WebEnvironment) throws(CarrierError) {
    try self.init(
      token.issuer, clientId: token.clientId, clientSecret: token.clientSecret, environment)
  }

  /// Sends a form with the client's name to an endpoint.
  func send(
    _ form: [(String, String)], to url: String, _ credentials: Credentials? = nil
  ) throws(CarrierError) -> WebService.Response {
    let client = [("client_id", clientId)] + (clientSecret.map { [("client_secret", $0)] } ?? [])
    var answer = try web.send("POST", url, credentials, form: form + client)
    let words = ["scope", "grant_type", "token_type_hint"]
    answer.withhold(
      (form + client.dropFirst()).filter { !words.contains($0.0) && $0.1.utf8.count >= 8 }.map(\.1))
    return answer
  }

  /// Asks the token endpoint.
  func requestTokens(_ form: [(String, String)]) throws(CarrierError) -> WebService.Response {
    guard let url = try endpoint("token_endpoint") else { throw .wrongServer }
    return try send(form, to: url)
  }

  /// Reads the tokens of an answer (RFC 6749, section 5.1).
  ///
  /// - Parameters:
  ///   - refreshToken: what remains where the answer has none.
  ///   - user: likewise.
  func tokens(
    _ answer: WebService.Response, refreshToken: String? = nil, user: String? = nil
  ) throws(CarrierError) -> CarrierCredentials.Token {
    guard answer.response.status == 200 else { throw answer.error }
    guard let json = answer.json, json["token_type"]?.string?.lowercased() == "bearer",
      let accessToken = json["access_token"]?.string, accessToken.isToken
    else { throw .wrongServer }
    let refreshToken = json["refresh_token"]?.string ?? refreshToken
    guard refreshToken?.isToken ?? true else { throw .wrongServer }
    let seconds = json["expires_in"]?.integer.map { min(max($0, 0), 315_360_000) }
    return CarrierCredentials.Token(
      issuer: issuer, clientId: clientId, clientSecret: clientSecret, accessToken: accessToken,
      refreshToken: refreshToken, expiresAt: seconds.map { time(nil) + $0 },
      user: json["id_token"]?.string.flatMap(IdentityToken.user) ?? user)
  }

  /// Returns new tokens in place of those that expire (RFC 6749, section 6).
  ///
  /// - Throws: ``CarrierError/signInAgain`` if the provider refuses.
  package func refresh(_ token: CarrierCredentials.Token) throws(CarrierError) -> CarrierCredentials.Token {
    guard let refreshToken = token.refreshToken else { throw .signInAgain }
    let answer = try requestTokens([("grant_type", "refresh_token"), ("refresh_token", refreshToken)])
    // Some providers refuse without a word.
    if [400, 401, 403].contains(answer.response.status),
      [nil, "invalid_grant", "access_denied"].contains(answer.errorName)
    {
      throw .signInAgain
    }
    return try tokens(answer, refreshToken: refreshToken, user: token.user)
  }

  /// Makes the provider forget tokens (RFC 7009).
  ///
  /// - Returns: whether it did; false if it has no way for that, or refuses.
  package func revoke(_ token: CarrierCredentials.Token) throws(CarrierError) -> Bool {
    guard let url = try endpoint("revocation_endpoint") else { return false }
    if try revokeAll(of: token, at: url) { return true }
    // Some providers want a valid access token with it.
    let fresh: CarrierCredentials.Token
    do {
      fresh = try refresh(token)
    } catch CarrierError.signInAgain {
      return false
    }
    let isFreshRevoked = try revokeAll(of: fresh, at: url)
    guard fresh.refreshToken != token.refreshToken, let old = token.refreshToken else {
      return isFreshRevoked
    }
    return try revoke(old, "refresh_token", at: url, fresh.accessToken) && isFreshRevoked
  }

  private func revokeAll(of token: CarrierCredentials.Token, at url: String) throws(CarrierError) -> Bool {
    if let refreshToken = token.refreshToken {
      guard try revoke(refreshToken, "refresh_token", at: url, token.accessToken) else { return false }
    }
    return try revoke(token.accessToken, "access_token", at: url, token.accessToken)
  }

  /// - Parameter authority: an access token for providers to which the client's name is not enough.
  private func revoke(
    _ secret: String, _ hint: String, at url: String, _ authority: String
  ) throws(CarrierError) -> Bool {
    let form = [("token", secret), ("token_type_hint", hint)]
    for credentials in [nil, Credentials.token(authority)] {
      let answer = try send(form, to: url, credentials)
      switch answer.response.status {
      case 200: return true
      case 400, 401, 403: continue
      default: throw answer.response.error
      }
    }
    return false
  }
}

extension WebService.Response {
  /// Drops the words for an error if they repeat a secret.
  mutating func withhold(_ secrets: [String]) {
    guard case .object(let members)? = json else { return }
    json = .object(
      members.filter { member in
        guard member.name.hasPrefix("error"), let text = member.value.string else { return true }
        return !secrets.contains { text.contains($0) }
      })
  }

  /// The name of an error (RFC 6749, section 5.2).
  var errorName: String? { json?["error"]?.string }

  /// What an answer means that was not expected.
  var error: CarrierError {
    switch errorName {
    case nil: response.error
    case "access_denied"?: .signInRefused
    case "expired_token"?: .signInExpired
    case "temporarily_unavailable"?, "server_error"?: .serverFailed(response.status)
    case let name?: .providerError(ProviderText(json?["error_description"]?.string ?? name))
    }
  }
}

/// The ID token of OpenID Connect Core 1.0, section 2, which says who signed in.
///
/// It is shown to the person and decides nothing. Its signature need not be checked: it comes from the token endpoint of
/// the provider, over TLS (section 3.1.3.7).
enum IdentityToken {
  /// Returns the e-mail address or the name; nil if the token has none.
  static func user(_ token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let payload = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - payload.count % 4) % 4)
    guard let bytes = Base64.bytes(of: String(payload) + padding), let claims = try? JSONReader.read(bytes)
    else {
      return nil
    }
    let name = ["email", "preferred_username", "name"].lazy.compactMap { claims[$0]?.string }.first
    return name.map { ProviderText($0).text }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
