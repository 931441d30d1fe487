import VaultProtocol
import VaultSync

enum SyncNowHandler: Handler {
  static func answer(_ request: SyncNow, _ context: SyncContext) async throws -> Outcome<SyncAnswer> {
    try await context.work.progress.during(request.progressToken, WorkTitle.synchronizing) { report in
      try await context.work.interruptibly {
        try await context.sync.run(context.session) {
          try await context.session.synchronize(report, pause: context.pause)
        }
      }
    }
    return Outcome(try context.answer())
  }
}
