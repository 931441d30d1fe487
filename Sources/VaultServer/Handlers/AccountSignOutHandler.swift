import CarrierProtocol
import VaultModel
import VaultProtocol
import VaultSession

enum AccountSignOutHandler: Handler {
  // Others go on while the server is told.
  static let access = Access.reading

  static func answer(
    _ request: AccountSignOut, _ context: AccountContext
  ) async throws -> Outcome<AccountSignOut.Response> {
    guard try context.stored() != nil else { throw AccountError.notSignedIn }
    let (account, answer) = try await context.endingMirroring {
      // The newest tokens are to be revoked.
      try await context.awaitRefresh()
      guard let account = try context.stored() else { throw AccountError.notSignedIn }
      return (account, try await context.revoke(account))
    }
    // Here, and not by repeating the request: the server was told.
    try await context.session.waitingForOthers { try context.store(nil) }
    await context.deleteSecret(of: account)
    return Outcome(answer)
  }
}
