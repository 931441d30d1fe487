package import HelperProtocols

extension OpenIDProvider {
  /// Signs in with a browser on this machine (RFC 8252), using PKCE (RFC 7636).
  ///
  /// - Parameter prompt: is called once, before the wait for the person.
  package func signInByCode(
    scope: String?, timeout: Int, prompt: (CarrierPrompt) -> Void
  ) throws(CarrierError) -> CarrierCredentials.Token {
    guard let page = try endpoint("authorization_endpoint") else { throw .wrongServer }
    let (verifier, state) = (Nonce.make(), Nonce.make())
    let listener = try LoopbackListener()
    let deadline = Deadline(timeout)
    let query = [
      ("response_type", "code"), ("client_id", clientId), ("redirect_uri", listener.url),
      // Some providers want a nonce for the identity, which nobody here asks about.
      ("scope", self.scope(scope)), ("state", state), ("nonce", Nonce.make()),
      ("code_challenge", Nonce.hash(verifier)),
      ("code_challenge_method", "S256"),
    ].map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    let url = page + (page.contains("?") ? "&" : "?") + query
    prompt(CarrierPrompt(url: url, expiresInSeconds: timeout))

    let answer = try listener.receive(until: deadline, web.environment.cancellation) { $0["state"] == state }
    // A provider that names itself is the one that was asked (RFC 9207). One that says that it does must.
    guard answer["iss"].map(isNamed) ?? !namesItself else { throw .wrongServer }
    switch answer["error"] {
    case "access_denied"?: throw .signInRefused
    case let error?: throw .providerError(ProviderText(answer["error_description"] ?? error))
    case nil: break
    }
    guard let code = answer["code"], code.isToken else { throw .wrongServer }
    return try tokens(
      requestTokens([
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", listener.url),
        ("code_verifier", verifier),
      ]))
  }
}
