import VaultProtocol
import VaultSession

enum SessionUnlockHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: SessionUnlock, in conversation: isolated Conversation
  ) async throws -> Outcome<UnlockAnswer> {
    try conversation.refuseWhileHandingOver()
    try await conversation.session.unlock(password: request.password)
    return Outcome(try conversation.unlockAnswer())
  }
}
