import VaultProtocol
import VaultSession
import VaultSync

enum SyncEnableHandler: Handler {
  static func answer(_ request: SyncEnable, _ context: SyncContext) async throws -> Outcome<SyncResponse> {
    let folder = try UserPath(request.folder)
    _ = try context.session.settings()
    try context.work.confirmation.require()
    try await context.work.progress.during(request.progressToken, WorkTitle.synchronizing) { report in
      try await context.work.interruptibly {
        try await context.sync.run(context.session) {
          try await context.session.enableSync(
            folder, machine: HostName.unless(request.machine), report, pause: context.pause)
        }
      }
    }
    return Outcome(try context.answer())
  }
}
