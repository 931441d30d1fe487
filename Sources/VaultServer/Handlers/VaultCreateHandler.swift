import VaultProtocol
import VaultSession

enum VaultCreateHandler: Handler {
  static let access = Access.exclusive
  static let isOpenToAll = true
  static let takesPassword = true
  static let prompts = [PinentryPrompt(parameter: "password", purpose: .new)]

  static func answer(_ request: VaultCreate, _ context: UnlockContext) async throws -> Outcome<UnlockResponse>
  {
    try context.refuseWhileHandingOff()
    context.desktop.fetchStatusIfUnknown()
    if request.isDemo {
      // Others would find the demo in the place of their vault.
      guard try !context.isShared || !context.session.status().exists else { throw VaultError.exists }
      try await context.vault.beginDemo(
        password: request.password, keyDerivation: request.keyDerivation,
        watermarksAttachment: context.canWatermark)
    } else if let password = request.password {
      try await context.session.create(password: password, keyDerivation: request.keyDerivation)
    }
    await context.didUnlockWithPassword()
    return Outcome(try context.answer(), admittedBy: .password)
  }
}
