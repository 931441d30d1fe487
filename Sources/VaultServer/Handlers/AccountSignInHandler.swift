import CarrierProtocol
import JSON
import JSONRPC
import VaultProtocol
import VaultSession

enum AccountSignInHandler: Handler {
  // Others go on while the person signs in.
  static let access = Access.reading
  static let takesPassword = true

  static func answer(
    _ request: AccountSignIn, _ context: AccountContext
  ) async throws -> Outcome<AccountResponse> {
    let needs: [(String, String?)] =
      switch request.method {
      case .device, .code: [("issuer", request.issuer), ("clientId", request.clientId)]
      case .nextcloud: []
      case .password: [("user", request.user), ("password", request.password)]
      }
    if let missing = needs.first(where: { $0.1?.isEmpty ?? true }) {
      throw ParameterError(missing.0, .presence)
    }
    let authorities = try request.authorities.map { path throws(FileError) in try UserPath(path).absolute }
    guard try context.stored() == nil else { throw AccountError.alreadySignedIn }
    try context.confirm()
    context.account.proxies = context.proxies
    let notifications = context.notifications
    let answer = try await context.work.interruptibly {
      try await context.account.ask(CarrierSignIn(request, authorities)) { notification in
        guard notification.method == CarrierPrompt.method, let parameters = notification.parameters,
          let prompt = try? CarrierPrompt.read(parameters, at: "params")
        else { return }
        notifications.send(AccountDidPrompt(prompt))
      }
    }
    let account = Account(
      method: request.method, address: answer.address, authorities: authorities,
      secret: .sealed(answer.credentials))
    do {
      try await context.session.waitingForOthers {
        guard try context.stored() == nil else { throw AccountError.alreadySignedIn }
        try context.store(account)
      }
    } catch {
      // Nobody keeps what signs in. A password that the user typed may be that of another sign-in, too.
      if request.method != .password { _ = try? await context.revoke(account) }
      throw error
    }
    try await context.begin()
    return Outcome(try context.answer())
  }
}

extension CarrierSignIn {
  fileprivate init(_ request: AccountSignIn, _ authorities: String?) {
    let method: Method =
      switch request.method {
      case .device: .device
      case .code: .code
      case .nextcloud: .nextcloud
      case .password: .password
      }
    self.init(
      method: method, address: request.address.withScheme, issuer: request.issuer?.withScheme,
      clientId: request.clientId, clientSecret: request.clientSecret, scope: request.scope,
      user: request.user, password: request.password, authorities: authorities)
  }
}

extension String {
  /// This URL; with `https` if it has no scheme.
  fileprivate var withScheme: String { contains("://") ? self : "https://" + self }
}

extension AccountDidPrompt {
  fileprivate init(_ prompt: CarrierPrompt) {
    self.init(
      url: prompt.url, code: prompt.code, urlWithCode: prompt.urlWithCode,
      expiresInSeconds: prompt.expiresInSeconds)
  }
}
