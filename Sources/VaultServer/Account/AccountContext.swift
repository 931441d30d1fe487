import VaultModel
import VaultProtocol
import VaultSession

/// The account of the vault.
struct AccountContext: HandlerContext {
  let work: WorkContext
  let account: AccountService
  let notifications: ClientNotifications

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    (account, notifications) = (service.account, client.notifications)
  }

  var session: VaultSession { work.session }

  /// Whether somebody is signed in, and how the folder is carried, in the client's language.
  func answer() throws -> AccountAnswer {
    guard let stored = try session.account() else { return AccountAnswer(nil) }
    let failure = account.failure.map {
      SyncAnswer.Failure(
        kind: $0.error.kind, message: LocalizedMessage($0.error.message, in: work.language), since: $0.since)
    }
    let expiresAt = stored.expiresAt.map { Timestamp(milliseconds: Int64($0) * 1_000) }
    return AccountAnswer(
      AccountAnswer.Details(
        method: stored.method, address: stored.address, user: stored.user, expiresAt: expiresAt,
        lastCarried: account.lastCarried, failure: failure))
  }
}
