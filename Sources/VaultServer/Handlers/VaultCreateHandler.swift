import VaultProtocol
import VaultSession

enum VaultCreateHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultCreate, in conversation: isolated Conversation
  ) async throws -> Outcome<UnlockAnswer> {
    try conversation.refuseWhileHandingOver()
    conversation.beginToLookAtDesktop()
    try await conversation.session.create(
      password: request.password, keyDerivation: request.keyDerivation.map(KeyDerivationRequest.init))
    conversation.didUnlock()
    return Outcome(try conversation.unlockAnswer())
  }
}
