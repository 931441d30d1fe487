import VaultModel
import VaultMaintenance
import VaultProtocol

enum VaultVerifyHandler: Handler {
  static func answer(
    _ request: VaultVerify, _ context: WorkContext
  ) async throws -> Outcome<VaultVerify.Answer> {
    let verification = try await context.progress.during(request.progressToken, WorkTitle.verifying) {
      report in
      try await context.interruptibly { try await context.session.verify(report) }
    }
    return Outcome(
      VaultVerify.Answer(
        cards: verification.cards, attachments: verification.attachments, damaged: verification.damaged,
        integrity: Integrity(isIntact: verification.isIntact)))
  }
}
