import DesktopProtocol
import JSONRPC
import VaultProtocol
import VaultSession

enum VaultDeleteHandler: Handler {
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(_ request: VaultDelete, _ context: BiometricContext) async throws -> Outcome<Nothing> {
    let isBound = (try? context.session.status().isBound) ?? false
    let item = isBound ? try KeychainItem(of: context.session) : nil
    try await context.session.delete(password: request.password, confirmation: request.confirmation)
    if let item { await context.biometrics.delete(item) }
    return Outcome(Nothing())
  }
}
