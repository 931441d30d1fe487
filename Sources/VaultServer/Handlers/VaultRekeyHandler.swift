import VaultProtocol
import VaultSync

enum VaultRekeyHandler: Handler {
  static let access = Access.exclusive
  static let takesPassword = true
  static let prompts = VaultChangePasswordHandler.prompts

  static func answer(_ request: VaultRekey, _ context: SyncContext) async throws -> Outcome<SyncResponse> {
    _ = try context.session.settings()
    try await context.work.progress.during(request.progressToken, WorkTitle.reencrypting) { report in
      try await context.work.interruptibly {
        _ = try await context.session.rekey(from: request.oldPassword, to: request.newPassword, report)
      }
    }
    context.work.confirmation.recordAuthentication()
    return Outcome(try context.answer())
  }
}
