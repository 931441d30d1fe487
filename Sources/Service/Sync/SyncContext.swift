import Vault
import VaultInterface

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

  /// Lets waiting requests run before the rest of the synchronisation.
  func pause(_ reason: SyncPause) async throws { try await service.pauseSync(reason) }

  /// Derives keys from what is in the folder, while other clients are answered: anyone who can write there chooses the work.
  ///
  /// - Throws: what `work` throws; ``VaultError/locked`` if the process is about to be replaced.
  func derive(leaving access: Access, _ work: () async throws -> Void) async throws {
    await service.leaveTurn(access)
    let result: Result<Void, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    try await service.takeTurnAgain(access)
    try result.get()
  }

  /// Applies what others have published, and publishes what this machine changed.
  func synchronize(_ report: (Int) async -> Void) async throws {
    try await work.interruptibly {
      try await sync.run(session) { try await session.synchronize(report, pause: pause) }
    }
  }

  /// Carries the folder, if somebody is signed in, while other clients are answered.
  ///
  /// - Returns: whether somebody is.
  func carry(leaving access: Access) async throws -> Bool {
    try await work.interruptibly { try await service.mirrorOnRequest(leaving: access) }
  }

  /// How the vault is synchronised, in the client's language.
  func answer() throws -> SyncResponse {
    do {
      let status = try session.syncStatus(sync.problems)
      sync.didTell()
      return SyncResponse(status, sync, account.ifSignedIn(to: session), work.language)
    } catch SyncError.notEnabled {
      return SyncResponse(nil)
    }
  }
}
