import VaultProtocol
import VaultSession
import VaultSync

enum SyncJoinHandler: Handler {
  static let access = Access.exclusive
  static let isOpenToAll = true
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(_ request: SyncJoin, _ context: SyncContext) async throws -> Outcome<SyncResponse> {
    try context.unlock.refuseWhileHandingOff()
    context.unlock.desktop.fetchStatusIfUnknown()
    let folder = try UserPath(request.folder)
    guard try !context.session.status().exists else { throw VaultError.exists }
    let (token, notifications) = (request.progressToken, context.work.progress.notifications)
    let status = try await context.work.progress.during(token, WorkTitle.synchronizing) { report in
      try await context.work.interruptibly {
        try await context.account.mirrorBeforeJoining(folder, in: context.credentials) { percentage in
          guard let token else { return }
          notifications.send(Progress(token, .report(percentage: percentage / 2)))
        }
        return try await context.session.joinSync(
          folder, password: request.password, machine: HostName.unless(request.machine)
        ) { await report(50 + $0 / 2) }
      }
    }
    context.sync.didRun(status)
    await context.unlock.didUnlockWithPassword()
    return Outcome(try context.answer(), admittedBy: .password)
  }
}
