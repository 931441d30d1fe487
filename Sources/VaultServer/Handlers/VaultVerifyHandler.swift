import VaultMaintenance
import VaultProtocol

enum VaultVerifyHandler: Handler {
  static func answer(
    _ request: VaultVerify, _ context: WorkContext
  ) async throws -> Outcome<VaultVerify.Response> {
    Outcome(
      try await context.progress.during(request.progressToken, WorkTitle.verifying) { report in
        try await context.interruptibly { try await context.session.verify(report) }
      })
  }
}
