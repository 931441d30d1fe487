import VaultProtocol
import VaultSync

enum SyncRejoinHandler: Handler {
  static let access = Access.exclusive
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(_ request: SyncRejoin, _ context: SyncContext) async throws -> Outcome<SyncResponse> {
    try await context.work.progress.during(request.progressToken, WorkTitle.reencrypting) { report in
      try await context.work.interruptibly {
        try await context.sync.run(context.session) {
          try await context.session.rejoin(password: request.password, report)
        }
      }
    }
    return Outcome(try context.answer())
  }
}
