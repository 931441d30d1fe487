import VaultProtocol
import VaultSession

enum SessionUnlockHandler: Handler {
  static let access = Access.unlocking
  static let isOpenToAll = true
  static let interruption: Interruption? = .password
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(_ request: SessionUnlock, _ context: UnlockContext) async throws -> Outcome<
    UnlockResponse
  > {
    try context.refuseWhileHandingOff()
    switch request.means {
    case .password(let password):
      context.desktop.fetchStatusIfUnknown()
      try await context.session.unlock(password: password)
      await context.didUnlockWithPassword()
      return Outcome(try context.answer(), admittedBy: .password)
    case .biometric:
      try await context.biometrics.unlockVault()
      context.didUnlockWithFingerprint()
      return Outcome(try context.answer(), admittedBy: .fingerprint)
    }
  }
}
