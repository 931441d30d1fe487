import VaultProtocol
import VaultSession

extension Conversation {
  /// Makes sure that the person is there once more, for what an unlocked vault alone does not allow.
  ///
  /// - Throws: `VaultError.authorizationRequired` where nothing was given; what a wrong password comes to at unlock, which
  ///   counts as it does there (R11).
  func authorize(_ authorization: Authorization) async throws {
    guard let password = authorization.password else { throw VaultError.authorizationRequired }
    try await session.authorize(password: password)
  }
}
