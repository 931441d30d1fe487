import VaultProtocol
import VaultSession
import VaultSync

enum SyncJoinHandler: Handler {
  static let access = Access.exclusive
  static let isOpenToAll = true
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(_ request: SyncJoin, _ context: SyncContext) async throws -> Outcome<SyncAnswer> {
    try context.unlock.refuseWhileHandingOff()
    context.unlock.desktop.fetchStatusIfUnknown()
    let folder = try UserPath(request.folder)
    let status = try await context.work.progress.during(request.progressToken, WorkTitle.synchronizing) {
      report in
      try await context.work.interruptibly {
        try await context.session.joinSync(
          folder, password: request.password, machine: request.machine ?? HostName.current, report)
      }
    }
    await context.sync.didRun(status, context.session)
    await context.unlock.didUnlockWithPassword()
    return Outcome(try context.answer(), admittedBy: .password)
  }
}
