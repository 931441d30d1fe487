package import HelperProtocols
import Wire

extension OpenIDProvider {
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
