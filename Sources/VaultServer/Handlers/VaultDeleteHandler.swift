import JSONRPC
import VaultProtocol
import VaultSession

enum VaultDeleteHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultDelete, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    let isBound = (try? conversation.session.status().isBound) ?? false
    let item = isBound ? try KeychainItem(of: conversation.session) : nil
    let wasUnlocked = !conversation.session.isLocked
    try await conversation.session.delete(password: request.password, confirmation: request.confirmation)
    if let item { await conversation.forget(item) }
    return Outcome(Nothing(), telling: wasUnlocked ? [SessionDidLock(reason: .request)] : [])
  }
}
