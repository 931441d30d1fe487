import VaultProtocol
import VaultSession

enum VaultCreateHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultCreate, in conversation: isolated Conversation
  ) async throws -> Outcome<UnlockAnswer> {
    try conversation.refuseWhileHandingOff()
    conversation.beginToLookAtDesktop()
    let keyDerivation = request.keyDerivation.map(KeyDerivationRequest.init)
    if request.isDemo {
      try await conversation.beginDemo(password: request.password, keyDerivation: keyDerivation)
    } else if let password = request.password {
      try await conversation.session.create(password: password, keyDerivation: keyDerivation)
    }
    conversation.didUnlock()
    return Outcome(try conversation.unlockAnswer())
  }
}
