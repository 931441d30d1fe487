import VaultProtocol
import VaultMaintenance
import VaultSession

enum VaultBackupHandler: Handler {
  static func answer(
    _ request: VaultBackup, _ context: WorkContext
  ) async throws -> Outcome<VaultBackup.Response> {
    let path = try UserPath(request.path)
    _ = try context.session.settings()
    try context.confirmation.require()
    let backup = try await context.progress.during(request.progressToken, WorkTitle.backingUp) { report in
      try await context.interruptibly {
        try await context.session.backUp(
          to: path, keep: request.keep, overwrites: request.overwrites, report)
      }
    }
    return Outcome(backup, .backedUp, context.language)
  }
}
