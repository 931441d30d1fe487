import VaultProtocol
import VaultSync

enum SyncForgetHandler: Handler {
  static func answer(_ request: SyncForget, _ context: SyncContext) async throws -> Outcome<SyncResponse> {
    try await context.work.interruptibly {
      try await context.sync.run(context.session) {
        try await context.session.forgetReplica(request.replica, pause: context.pause)
        return try context.session.syncStatus()
      }
    }
    return Outcome(try context.answer())
  }
}
