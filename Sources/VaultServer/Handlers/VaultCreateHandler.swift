import VaultProtocol
import VaultSession

enum VaultCreateHandler: Handler {
  static let takesPassword = true

  static func answer(_ request: VaultCreate, _ context: UnlockContext) async throws -> Outcome<UnlockAnswer> {
    try context.refuseWhileHandingOff()
    context.desktop.beginToLook()
    let keyDerivation = request.keyDerivation.map(KeyDerivationRequest.init)
    if request.isDemo {
      try await context.vault.beginDemo(
        password: request.password, keyDerivation: keyDerivation, marksAttachment: context.canMark)
    } else if let password = request.password {
      try await context.session.create(password: password, keyDerivation: keyDerivation)
    }
    await context.didUnlockWithPassword()
    return Outcome(try context.answer())
  }
}
