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
  ) async throws -> Outcome<AccountAnswer> {
    let needs: [(String, String?)] =
      switch request.method {
      case .device, .code: [("issuer", request.issuer), ("clientId", request.clientId)]
      case .nextcloud: []
      case .password: [("user", request.user), ("password", request.password)]
      }
    if let missing = needs.first(where: { $0.1 == nil }) { throw ParameterError(missing.0, .presence) }
    guard try context.session.account() == nil else { throw AccountError.alreadySignedIn }
    try context.work.confirmation.require()
    let notifications = context.notifications
    let answer = try await context.work.interruptibly {
      try await context.account.ask(CarrierSignIn(request)) { notifications.send(AccountDidPrompt($0)) }
    }
    let account = Account(method: request.method, address: answer.address, credentials: answer.credentials)
    guard try context.session.account() == nil else { throw AccountError.alreadySignedIn }
    try context.session.setAccount(account.values)
    context.account.begin()
    return Outcome(try context.answer())
  }
}

extension CarrierSignIn {
  fileprivate init(_ request: AccountSignIn) {
    let method: Method =
      switch request.method {
      case .device: .device
      case .code: .code
      case .nextcloud: .nextcloud
      case .password: .password
      }
    self.init(
      method: method, address: request.address, issuer: request.issuer, clientId: request.clientId,
      scope: request.scope, user: request.user, password: request.password)
  }
}

extension AccountDidPrompt {
  fileprivate init(_ prompt: CarrierPrompt) {
    self.init(
      url: prompt.url, code: prompt.code, urlWithCode: prompt.urlWithCode,
      expiresInSeconds: prompt.expiresInSeconds)
  }
}
