import DesktopProtocol
import JSONRPC
import VaultProtocol
import VaultSession

enum VaultDeleteHandler: Handler {
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(_ request: VaultDelete, _ context: BiometricContext) async throws -> Outcome<NullResult>
  {
    let isBound = (try? context.session.status().isBound) ?? false
    let item = isBound ? try KeychainItem(of: context.session) : nil
    let account = try? context.session.account()?.item
    // Only an open vault says whether there is one.
    let accountItem =
      context.session.isLocked ? try? KeychainItem(of: context.session, for: .account) : account
    try await context.session.delete(password: request.password, confirmation: request.confirmation)
    if let item { await context.biometrics.delete(item) }
    if let accountItem { await context.biometrics.delete(accountItem, prompts: account != nil) }
    return Outcome(NullResult())
  }
}
