import DesktopProtocol
import JSONRPC
import VaultProtocol
import VaultSession

enum VaultChangePasswordHandler: Handler {
  static let access = Access.exclusive
  static let takesPassword = true
  static let prompts = [
    PinentryPrompt(parameter: "oldPassword", purpose: .current),
    PinentryPrompt(parameter: "newPassword", purpose: .new),
  ]

  static func answer(
    _ request: VaultChangePassword, _ context: BiometricContext
  ) async throws -> Outcome<NullResult> {
    let isBound = try request.dropsDevices && context.session.status().isBound
    let item = isBound ? try KeychainItem(of: context.session) : nil
    try await context.session.changePassword(
      from: request.oldPassword, to: request.newPassword,
      keyDerivation: request.keyDerivation, dropsDevices: request.dropsDevices)
    context.confirmation.recordAuthentication()
    if let item { await context.biometrics.delete(item) }
    return Outcome(NullResult())
  }
}
