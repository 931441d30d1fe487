import VaultProtocol
import VaultSync

enum SyncDisableHandler: Handler {
  static func answer(_ request: SyncDisable, _ context: SyncContext) throws -> Outcome<SyncResponse> {
    try context.session.disableSync()
    context.sync.disable()
    return Outcome(SyncResponse(nil))
  }
}
