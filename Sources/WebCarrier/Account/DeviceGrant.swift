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
}
