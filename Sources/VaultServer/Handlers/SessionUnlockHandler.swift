import VaultProtocol
import VaultSession

enum SessionUnlockHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: SessionUnlock, in conversation: isolated Conversation
  ) async throws -> Outcome<UnlockAnswer> {
    try conversation.refuseWhileHandingOff()
    switch request.means {
    case .password(let password):
      conversation.beginToLookAtDesktop()
      try await conversation.session.unlock(password: password)
      conversation.didUnlock()
    case .biometric:
      try await conversation.unlockWithFingerprint()
      conversation.watchDesktop()
    }
    return Outcome(try conversation.unlockAnswer())
  }
}
