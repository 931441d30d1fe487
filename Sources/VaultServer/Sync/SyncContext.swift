import VaultModel
import VaultProtocol
import VaultSession
import VaultSync

/// The synchronisation of the vault, and what opens one.
struct SyncContext: HandlerContext {
  let work: WorkContext
  let unlock: UnlockContext
  let sync: SyncService
  let account: AccountService
  private let service: VaultService

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    unlock = UnlockContext(service, client)
    (sync, account) = (service.sync, service.account)
    self.service = service
  }

  var session: VaultSession { work.session }

  /// Where the account's credentials are kept.
  var credentials: any CredentialStore { service }

  /// Lets other requests go before what is left to synchronise.
  func pause(_ merge: Merge) async throws { try await service.pauseSync(merge) }

  /// How the vault is synchronised, in the client's language.
  func answer() throws -> SyncAnswer {
    do {
      return SyncAnswer(try session.syncStatus(), sync, account, work.language)
    } catch SyncError.notEnabled {
      return SyncAnswer(nil)
    }
  }
}
