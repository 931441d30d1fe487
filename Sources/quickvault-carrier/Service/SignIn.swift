import HelperProtocols
import WebCarrier
import Wire

/// `carrier/signIn`, with what its method needs.
enum SignIn {
  case provider(issuer: String, clientId: String, clientSecret: String?, scope: String?, byDevice: Bool)
  case nextcloud
  case password(CarrierCredentials)

  init(_ request: CarrierSignIn) throws(ParameterError) {
    func required(_ name: String, _ value: String?) throws(ParameterError) -> String {
      guard let value else { throw ParameterError(name, .presence) }
      return value
    }
    switch request.method {
    case .device, .code:
      let issuer = try required("issuer", request.issuer)
      guard WebAddress(issuer) != nil else { throw ParameterError("issuer", .string) }
      self = .provider(
        issuer: issuer, clientId: try required("clientId", request.clientId),
        clientSecret: request.clientSecret, scope: request.scope,
        byDevice: request.method == .device)
    case .nextcloud: self = .nextcloud
    case .password:
      self = .password(
        .password(
          user: try required("user", request.user), password: try required("password", request.password)))
    }
  }

  /// Signs in, and tries the credentials at the address.
  func run(
    at address: WebAddress, timeout: Int, _ environment: WebEnvironment, prompt: (CarrierPrompt) -> Void
  ) throws(CarrierError) -> CarrierSignIn.Response {
    switch self {
    case .nextcloud: return try NextcloudServer(address, environment).signIn(timeout: timeout, prompt: prompt)
    case .password(let password): return try Self.check(password, at: address, environment)
    case .provider(let issuer, let clientId, let clientSecret, let scope, let byDevice):
      let provider = try OpenIDProvider(
        issuer, clientId: clientId, clientSecret: clientSecret, environment)
      let token =
        byDevice
        ? try provider.signInByDevice(scope: scope, timeout: timeout, prompt: prompt)
        : try provider.signInByCode(scope: scope, timeout: timeout, prompt: prompt)
      do {
        return try Self.check(.token(token), at: address, environment)
      } catch {
        // Nobody will have it.
        _ = try? provider.revoke(token)
        throw error
      }
    }
  }

  private static func check(
    _ credentials: CarrierCredentials, at address: WebAddress, _ environment: WebEnvironment
  ) throws(CarrierError) -> CarrierSignIn.Response {
    let account = try WebAccount(address, credentials, environment)
    return CarrierSignIn.Response(address: try account.check(), credentials: credentials)
  }
}
