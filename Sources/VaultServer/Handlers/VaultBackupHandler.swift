import VaultModel
import VaultProtocol
import VaultMaintenance
import VaultSession

enum VaultBackupHandler: Handler {
  static func answer(
    _ request: VaultBackup, _ context: WorkContext
  ) async throws -> Outcome<VaultBackup.Answer> {
    let path = try UserPath(request.path)
    let backup = try await context.progress.during(request.progressToken, WorkTitle.backingUp) { report in
      try await context.interruptibly {
        try await context.session.backUp(
          to: path, keep: request.keep, overwrites: request.overwrites, report)
      }
    }
    let answer = VaultBackup.Answer(
      path: backup.path, size: backup.size, cards: backup.cards, attachments: backup.attachments,
      integrity: Integrity(isIntact: backup.isIntact), removed: backup.removed)
    return Outcome(answer, .backedUp, context.language)
  }
}
