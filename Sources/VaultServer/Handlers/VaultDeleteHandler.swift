import JSONRPC
import VaultProtocol
import VaultSession

enum VaultDeleteHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultDelete, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    let wasUnlocked = !conversation.session.isLocked
    try await conversation.session.delete(password: request.password, confirmation: request.confirmation)
    return Outcome(Nothing(), telling: wasUnlocked ? [SessionDidLock(reason: .request)] : [])
  }
}
