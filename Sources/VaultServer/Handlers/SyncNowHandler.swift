import VaultProtocol
import VaultSync

enum SyncNowHandler: Handler {
  static func answer(_ request: SyncNow, _ context: SyncContext) async throws -> Outcome<SyncResponse> {
    try await context.work.progress.during(request.progressToken, WorkTitle.synchronizing) { report in
      try await context.synchronize(report)
      guard request.waitsForServer else { return context.account.mirrorNow() }
      // What was carried here is to be applied, too.
      if try await context.carry(leaving: access) { try await context.synchronize(report) }
    }
    return Outcome(try context.answer())
  }
}
