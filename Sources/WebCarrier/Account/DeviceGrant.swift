import CGcrypt
package import HelperProtocols
import Wire

extension OpenIDProvider {
  /// Signs in with a code that is typed into any browser (RFC 8628).
  ///
  /// - Parameter prompt: is called once, before the wait for the person.
  package func signInByDevice(
    scope: String?, timeout: Int, prompt: (CarrierPrompt) -> Void
  ) throws(CarrierError) -> CarrierCredentials.Token {
    guard let url = try endpoint("device_authorization_endpoint") else { throw .wrongServer }
    let answer = try send([("scope", self.scope(scope))], to: url)
    guard answer.response.status == 200 else { throw answer.error }
    guard let json = answer.json, let deviceCode = json["device_code"]?.string, deviceCode.isToken,
      let userCode = json["user_code"]?.string, (1...64).contains(userCode.utf8.count),
      // Google has another name for it.
      let page = json["verification_uri"]?.string ?? json["verification_url"]?.string
    else { throw .wrongServer }
    let complete = try json["verification_uri_complete"]?.string.map { (url) throws(CarrierError) in
      try checked(url)
    }
    let seconds = min(timeout, max(json["expires_in"]?.integer ?? timeout, 1))
    let deadline = Deadline(seconds)
    prompt(
      CarrierPrompt(
        url: try checked(page), code: ProviderText(userCode).text, urlWithCode: complete,
        expiresInSeconds: seconds))
    return try poll(deviceCode, interval: min(max(json["interval"]?.integer ?? 5, 1), 60), until: deadline)
  }

  private func poll(
    _ deviceCode: String, interval: Int, until deadline: Deadline
  ) throws(CarrierError) -> CarrierCredentials.Token {
    var interval = interval
    let form = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
    ]
    while deadline.secondsLeft > 0 {
      try web.environment.cancellation.wait(min(interval, deadline.secondsLeft))
      do {
        let answer = try requestTokens(form)
        switch answer.errorName {
        case "authorization_pending"?: continue
        case "slow_down"?: interval += 5
        default: return try tokens(answer)
        }
      } catch {
        // The person may be done before the network is back.
        guard error.isTransientForSignIn else { throw error }
        interval += 5
      }
    }
    throw .signInExpired
  }

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

/// A secret of 256 bits for one sign-in, in Base64 for URLs.
enum Nonce {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// The SHA-256 of a text (RFC 7636, section 4.2).
  static func hash(_ text: String) -> String {
    var hash = [UInt8](repeating: 0, count: 32)
    let bytes = Array(text.utf8)
    _ = unsafe gcry_check_version(nil)
    unsafe hash.withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe gcry_md_hash_buffer(
          Int32(GCRY_MD_SHA256.rawValue), target.baseAddress, source.baseAddress, source.count)
      }
    }
    return encode(hash)
  }

  private static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for character in unsafe Base64.encode(bytes.span.bytes) where character != "=" {
      text.append(character == "+" ? "-" : character == "/" ? "_" : character)
    }
    return text
  }
}
