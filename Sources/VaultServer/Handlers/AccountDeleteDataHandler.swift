import CarrierProtocol
import VaultProtocol
import VaultSession

enum AccountDeleteDataHandler: Handler {
  static let access = Access.reading
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(
    _ request: AccountDeleteData, _ context: AccountContext
  ) async throws -> Outcome<AccountDeleteData.Response> {
    let session = context.session
    guard let account = try session.account() else { throw AccountError.notSignedIn }
    try session.requireName(request.confirmation)
    try await session.authorize(password: request.password)
    let folder = try? UserPath(session.syncStatus().folder).absolute
    let vault = try session.vaultIdentifier().description
    let deleted = try await context.endingMirroring {
      try await context.withCredentials(of: account) { credentials in
        try await context.account.ask(
          CarrierDeleteData(
            address: account.address, credentials: credentials, vault: vault, folder: folder,
            authorities: account.authorities)
        ).deleted
      }
    }
    // With new tokens, if there are any.
    let last = try session.account() ?? account
    // Before anything can fail: with an account, the folder would be carried again.
    try await session.waitingForOthers { try session.setAccount(nil) }
    let signedOut = try await context.revoke(last)
    await context.deleteSecret(of: account)
    return Outcome(AccountDeleteData.Response(deleted: deleted, signedOut: signedOut))
  }
}
