import CarrierProtocol
import VaultModel
import VaultProtocol
import VaultSession

enum AccountSignOutHandler: Handler {
  static func answer(
    _ request: AccountSignOut, _ context: AccountContext
  ) async throws -> Outcome<AccountSignOut.Answer> {
    guard let account = try context.session.account() else { throw AccountError.notSignedIn }
    context.account.stop()
    var answer = AccountSignOut.Answer(revoked: false)
    do {
      answer.revoked = try await context.work.interruptibly {
        try await context.account.ask(
          CarrierRevoke(address: account.address, credentials: account.credentials)
        ).revoked
      }
    } catch  where error is CarrierError || error is AccountError {
      // It is forgotten here all the same.
      answer.message = LocalizedMessage(ErrorDescriptor(error).message, in: context.work.language)
    } catch {
      context.account.begin()
      throw error
    }
    try context.session.setAccount(nil)
    return Outcome(answer)
  }
}
