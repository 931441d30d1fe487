import VaultProtocol
import VaultSession

enum VaultVerifyHandler: Handler {
  static func answer(
    _ request: VaultVerify, in conversation: isolated Conversation
  ) async throws -> Outcome<VaultVerify.Answer> {
    let verification: Verification
    if let token = request.progressToken {
      await conversation.tell(Progress(token, .begin(message: Deed.verifying[conversation.language])))
      do {
        verification = try await conversation.interruptibly {
          try await conversation.session.verify { percentage in
            await conversation.tell(Progress(token, .report(percentage: percentage)))
          }
        }
      } catch {
        await conversation.tell(Progress(token, .end))
        throw error
      }
      await conversation.tell(Progress(token, .end))
    } else {
      verification = try await conversation.interruptibly { try await conversation.session.verify { _ in } }
    }
    return Outcome(
      VaultVerify.Answer(
        cards: verification.cards, attachments: 0, damaged: verification.damaged,
        isIntact: verification.isIntact))
  }
}
