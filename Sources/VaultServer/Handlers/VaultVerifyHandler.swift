import VaultModel
import VaultProtocol

enum VaultVerifyHandler: Handler {
  static func answer(
    _ request: VaultVerify, in conversation: isolated Conversation
  ) async throws -> Outcome<VaultVerify.Answer> {
    let verification = try await conversation.reporting(request.progressToken, Deed.verifying) { report in
      try await conversation.interruptibly { try await conversation.session.verify(report) }
    }
    return Outcome(
      VaultVerify.Answer(
        cards: verification.cards, attachments: verification.attachments, damaged: verification.damaged,
        integrity: Integrity(isIntact: verification.isIntact)))
  }
}
